//! Access control: host names of the server, requests from other sites, and the token of a shared
//! server.
//!
//! Any page that a browser shows can make it send requests to any server that the browser can
//! reach. A page of another site can also resolve its own host name to the address of this machine,
//! so that the browser treats the server as part of that site (DNS rebinding). Therefore the server
//! rejects requests from pages of other sites (headers `Origin` and `Sec-Fetch-Site`) and requests
//! for host names that are not its own (header `Host`). A server that is shared with other machines
//! can also require a secret token.

use crate::client::Client;
use crate::error::ErrorResponse;
use crate::guesses::Guesses;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

/// Which requests are allowed.
#[derive(Debug, Default)]
pub struct Access {
    hosts: Hosts,
    token: Option<String>,
    guesses: Guesses,
}

/// The host names of the server.
#[derive(Clone, Debug, Default)]
enum Hosts {
    /// Any name, for a router without a socket.
    #[default]
    Any,
    /// These names. If the server is reachable from other machines, any IP address too: a page that
    /// has an IP address as its host name cannot use DNS rebinding.
    Listed {
        /// `localhost` and the address that the server listens on.
        own: Vec<String>,
        /// Names given by the operator, such as the name of a reverse proxy.
        allowed: Vec<String>,
        allow_addresses: bool,
    },
}

/// The cookie that contains the token.
const COOKIE: &str = "ninefold-token";

/// Cookies of this name that are examined. Another service on the same host can set one, too.
const MAX_COOKIES: usize = 8;

impl Access {
    /// Access to a server on this address, with additional host names.
    pub fn new(address: SocketAddr, allowed_hosts: &[String], token: Option<String>) -> Access {
        let mut own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_string).to_vec();
        own.push(match address.ip() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        });
        let allow_addresses = !address.ip().is_loopback();
        Access {
            hosts: Hosts::Listed { own, allowed: allowed_hosts.to_vec(), allow_addresses },
            token,
            guesses: Guesses::default(),
        }
    }

    /// Returns the response to send instead if the request is for another host, from another site
    /// or without the token.
    pub fn check(&self, request: &Parts) -> Result<(), Box<Response>> {
        let answer = |error: ErrorResponse| Box::new(error.into_response());
        let host = self.host(request).map_err(answer)?;
        self.check_site(request, host).map_err(answer)?;
        self.check_token(request)
    }

    /// The host name of the request.
    fn host<'a>(&self, request: &'a Parts) -> Result<&'a str, ErrorResponse> {
        let bad = |error: &str| {
            ErrorResponse::new(StatusCode::BAD_REQUEST, error, "send one Host header and a path")
        };
        if request.uri.scheme().is_some() || request.uri.authority().is_some() {
            return Err(bad("this server is not a proxy"));
        }
        let mut hosts = request.headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => {
                host.to_str().map_err(|_| bad("the Host header is not a host name"))?
            }
            (Some(_), Some(_)) => return Err(bad("there are two Host headers")),
            (None, _) => "",
        };
        let Hosts::Listed { own, allowed, allow_addresses } = &self.hosts else { return Ok(host) };
        if host.is_empty() {
            return Err(bad("there is no Host header"));
        }
        let name = without_port(host);
        let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        if own.iter().chain(allowed).any(|own| own.eq_ignore_ascii_case(name))
            || (*allow_addresses && is_address)
        {
            return Ok(host);
        }
        let hint =
            "open the address that ninefold serve prints, or start it with --allow-host NAME";
        let error = "this server does not have this host name";
        Err(ErrorResponse::new(StatusCode::MISDIRECTED_REQUEST, error, hint))
    }

    /// Rejects requests from pages of other sites. Links to the page are allowed.
    fn check_site(&self, request: &Parts, host: &str) -> Result<(), ErrorResponse> {
        let foreign = || {
            let hint = "open the page of this server; programs should omit the headers Origin and Sec-Fetch-Site";
            let error = "requests from pages of other sites are not allowed";
            ErrorResponse::new(StatusCode::FORBIDDEN, error, hint)
        };
        let value = |name: &'static str| text(&request.headers, &HeaderName::from_static(name));
        let is_link = request.method == Method::GET
            && value("sec-fetch-mode") == Some("navigate")
            && value("sec-fetch-dest") == Some("document")
            && !request.uri.path().starts_with("/api/");
        let is_own = |site: &str| matches!(site, "same-origin" | "none");
        if !request
            .headers
            .get_all("sec-fetch-site")
            .iter()
            .all(|site| site.to_str().is_ok_and(is_own))
            && !is_link
        {
            return Err(foreign());
        }
        match request
            .headers
            .get_all(header::ORIGIN)
            .iter()
            .all(|origin| self.is_own_origin(origin.as_bytes(), host))
        {
            true => Ok(()),
            false => Err(foreign()),
        }
    }

    /// Whether this is the origin of the page, for a client that uses this host name.
    fn is_own_origin(&self, origin: &[u8], host: &str) -> bool {
        let Some((scheme, name)) =
            std::str::from_utf8(origin).ok().and_then(|origin| origin.split_once("://"))
        else {
            return false;
        };
        // A reverse proxy may use another host name; then the host name of the page is on the list.
        let is_listed = match &self.hosts {
            Hosts::Any => false,
            Hosts::Listed { allowed, .. } => {
                allowed.iter().any(|own| own.eq_ignore_ascii_case(without_port(name)))
            }
        };
        matches!(scheme, "http" | "https") && (name.eq_ignore_ascii_case(host) || is_listed)
    }

    /// Rejects requests without the token. A client that opens the page with the token in the URL
    /// gets it as a cookie.
    fn check_token(&self, request: &Parts) -> Result<(), Box<Response>> {
        let Some(token) = &self.token else { return Ok(()) };
        let client = request.extensions.get::<Client>();
        let now = Instant::now();
        let bearer = text(&request.headers, &header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix("Bearer "));
        let cookies =
            request.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let cookies = cookies
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .filter(|(name, _)| *name == COOKIE)
            .map(|(_, value)| value);
        let is_page = request.method == Method::GET && request.uri.path() == "/";
        let query = request
            .uri
            .query()
            .filter(|_| is_page)
            .and_then(|query| query.split('&').find_map(|part| part.strip_prefix("token=")));
        let given: Vec<&str> =
            bearer.into_iter().chain(cookies.take(MAX_COOKIES)).chain(query).collect();
        if !given.is_empty() && client.is_some_and(|client| !self.guesses.may_try(*client, now)) {
            let error = "too many wrong tokens were sent from this address";
            let error = ErrorResponse::new(
                StatusCode::TOO_MANY_REQUESTS,
                error,
                "try again in some seconds",
            );
            return Err(Box::new(([(header::RETRY_AFTER, "6")], error).into_response()));
        }
        // Another service on this host can have set a cookie of the same name, so one right token
        // is enough.
        let is_right = given.iter().any(|given| equal(given, token));
        if let Some(client) = client.filter(|_| !is_right) {
            given.iter().for_each(|given| self.guesses.was_wrong(*client, given, now));
        }
        if is_right && query.is_none_or(|query| !equal(query, token)) {
            return Ok(());
        }
        if is_right {
            let cookie =
                format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000");
            return Err(Box::new(
                ([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response(),
            ));
        }
        let hint = "open the address that ninefold serve printed, or send the header Authorization: Bearer TOKEN";
        let error =
            ErrorResponse::new(StatusCode::UNAUTHORIZED, "this server requires a token", hint);
        Err(Box::new(([(header::WWW_AUTHENTICATE, "Bearer")], error).into_response()))
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Compares two tokens in constant time.
fn equal(given: &str, token: &str) -> bool {
    let differing =
        given.bytes().zip(token.bytes()).fold(0, |differing, (a, b)| differing | (a ^ b));
    given.len() == token.len() && differing == 0
}

/// `[::1]:8080` → `[::1]`, `localhost:8080` → `localhost`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn local() -> Access {
        Access::new("127.0.0.1:8199".parse().unwrap(), &[], None)
    }

    fn open() -> Access {
        Access::new("0.0.0.0:8199".parse().unwrap(), &["sudoku.example".to_string()], None)
    }

    /// The status of the response; 200 if the request is allowed.
    fn check(access: &Access, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
        let request = Request::builder().method(method).uri(path);
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let (parts, ()) = request.body(()).unwrap().into_parts();
        access.check(&parts).err().map_or(200, |response| response.status().as_u16())
    }

    #[test]
    fn the_port_is_not_part_of_the_host_name() {
        assert_eq!(without_port("localhost:8080"), "localhost");
        assert_eq!(without_port("[::1]:8080"), "[::1]");
        assert_eq!(without_port("[::1]"), "[::1]");
        assert_eq!(without_port("localhost"), "localhost");
    }

    #[test]
    fn rejects_unknown_host_names() {
        let ask = |access: &Access, host: &str| check(access, "GET", "/", &[("host", host)]);
        assert_eq!(ask(&local(), "localhost:8199"), 200);
        assert_eq!(ask(&local(), "LOCALHOST"), 200);
        assert_eq!(ask(&local(), "[::1]:8199"), 200);
        assert_eq!(ask(&local(), "evil.example"), 421);
        assert_eq!(ask(&local(), "192.168.0.7:8199"), 421);
        assert_eq!(ask(&open(), "192.168.0.7:8199"), 200, "DNS rebinding needs a host name");
        assert_eq!(ask(&open(), "sudoku.example"), 200);
        assert_eq!(ask(&open(), "evil.example"), 421);
    }

    #[test]
    fn rejects_missing_and_duplicate_hosts_and_proxy_requests() {
        assert_eq!(check(&local(), "GET", "/", &[]), 400);
        assert_eq!(
            check(&local(), "GET", "/", &[("host", "localhost"), ("host", "localhost")]),
            400
        );
        assert_eq!(
            check(&local(), "GET", "/", &[("host", "localhost"), ("host", "evil.example")]),
            400
        );
        assert_eq!(check(&local(), "GET", "http://localhost/", &[("host", "localhost")]), 400);
        assert_eq!(check(&local(), "CONNECT", "evil.example:443", &[("host", "localhost")]), 400);
    }

    #[test]
    fn rejects_requests_from_pages_of_other_sites() {
        let quit = |headers: &[(&str, &str)]| {
            let headers: Vec<_> =
                [("host", "localhost:8199")].iter().chain(headers).copied().collect();
            check(&local(), "POST", "/api/quit", &headers)
        };
        assert_eq!(quit(&[]), 200, "programs send neither header");
        assert_eq!(
            quit(&[("origin", "http://localhost:8199"), ("sec-fetch-site", "same-origin")]),
            200
        );
        assert_eq!(quit(&[("origin", "http://localhost:9000")]), 403);
        assert_eq!(quit(&[("origin", "http://evil.example")]), 403);
        assert_eq!(quit(&[("origin", "null")]), 403);
        assert_eq!(quit(&[("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(quit(&[("sec-fetch-site", "same-site")]), 403);
        assert_eq!(quit(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]), 403);
    }

    #[test]
    fn links_from_other_sites_open_only_the_page() {
        let link = |path: &str, dest: &str| {
            let fetch = [
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-mode", "navigate"),
                ("sec-fetch-dest", dest),
            ];
            let headers: Vec<_> = [("host", "localhost")].into_iter().chain(fetch).collect();
            check(&local(), "GET", path, &headers)
        };
        assert_eq!(link("/", "document"), 200);
        assert_eq!(link("/", "iframe"), 403);
        assert_eq!(link("/api/status", "document"), 403);
    }

    #[test]
    fn behind_a_reverse_proxy_the_page_has_an_allowed_host_name() {
        let headers = [("host", "10.0.0.5:8199"), ("origin", "https://sudoku.example")];
        assert_eq!(check(&open(), "POST", "/api/solve", &headers), 200);
        let headers = [("host", "10.0.0.5:8199"), ("origin", "https://evil.example")];
        assert_eq!(check(&open(), "POST", "/api/solve", &headers), 403);
    }

    #[test]
    fn the_token_is_required_and_stored_as_a_cookie() {
        let access = Access { token: Some("swordfish".to_string()), ..local() };
        let ask = |path: &str, headers: &[(&str, &str)]| {
            let headers: Vec<_> = [("host", "localhost")].iter().chain(headers).copied().collect();
            check(&access, "GET", path, &headers)
        };
        assert_eq!(ask("/", &[]), 401);
        assert_eq!(ask("/?token=jellyfish", &[]), 401);
        assert_eq!(ask("/?token=swordfis", &[]), 401);
        assert_eq!(ask("/?token=swordfish", &[]), 303, "redirects with a cookie");
        assert_eq!(
            ask("/api/status?token=swordfish", &[]),
            401,
            "a token in the URL is accepted only for the page"
        );
        assert_eq!(ask("/", &[("cookie", "other=1; ninefold-token=swordfish")]), 200);
        let two = "ninefold-token=of-another-service; ninefold-token=swordfish";
        assert_eq!(ask("/", &[("cookie", two)]), 200, "another service can set a cookie, too");
        assert_eq!(ask("/", &[("authorization", "Bearer swordfish")]), 200);
        assert_eq!(ask("/", &[("authorization", "Bearer swordfis")]), 401);
    }

    #[test]
    fn the_address_that_the_server_listens_on_is_a_host_name() {
        let ask = |address: &str, host: &str| {
            let access = Access::new(address.parse().unwrap(), &[], None);
            check(&access, "GET", "/", &[("host", host)])
        };
        assert_eq!(ask("127.0.0.5:8199", "127.0.0.5:8199"), 200);
        assert_eq!(ask("127.0.0.5:8199", "127.0.0.6:8199"), 421);
        assert_eq!(ask("[::1]:8199", "[::1]:8199"), 200);
    }

    #[test]
    fn guessing_the_token_is_slow() {
        let access = Access { token: Some("swordfish".to_string()), ..local() };
        let ask = |client: u8, token: &str| {
            let request = Request::get("/").header("host", "localhost");
            let request = request.header("authorization", format!("Bearer {token}"));
            let request = request.extension(Client::new([10, 0, 0, client].into()));
            let (parts, ()) = request.body(()).unwrap().into_parts();
            access.check(&parts).err().map_or(200, |response| response.status().as_u16())
        };
        let statuses: Vec<u16> = (0..1000).map(|guess| ask(1, &guess.to_string())).collect();
        assert!(statuses.iter().filter(|status| **status == 401).count() < 20);
        assert_eq!(ask(1, "swordfish"), 429, "else a client could go on to guess");
        assert_eq!(ask(2, "swordfish"), 200, "others are not affected");
    }
}
