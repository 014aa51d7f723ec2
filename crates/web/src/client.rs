//! The client of a request: the address that shares of the server's time are counted for.
//!
//! Behind a reverse proxy, all connections come from the proxy. Then the client is the address in
//! the header `X-Forwarded-For` or `Forwarded`, but only if the proxy is trusted: anyone else could
//! write any address there.

use crate::error::ErrorResponse;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// An IPv4 address, or an IPv6 network: an IPv6 subscriber has 2⁶⁴ addresses, which count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Client(IpAddr);

impl Client {
    pub fn new(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() & !u128::from(u64::MAX)).into()),
            address => address,
        })
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = std::convert::Infallible;

    /// Without a connection, as in tests of the router, all requests have the same client.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Self::Rejection> {
        let unknown = Client(Ipv6Addr::UNSPECIFIED.into());
        Ok(parts.extensions.get::<Client>().copied().unwrap_or(unknown))
    }
}

/// The reverse proxies whose headers are trusted.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Vec<IpAddr>);

impl Proxies {
    pub fn new(addresses: &[IpAddr]) -> Proxies {
        Proxies(addresses.iter().map(IpAddr::to_canonical).collect())
    }

    /// Whether this is the address of a trusted proxy.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// The client of a request on a connection from this address.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Result<Client, ErrorResponse> {
        if self.0.is_empty() {
            return Ok(Client::new(peer));
        }
        let is_present = |name: &str| headers.contains_key(name);
        let bad = |error: &str| {
            let hint = "only a proxy given with --trusted-proxy may send one of the headers Forwarded and X-Forwarded-For";
            ErrorResponse::new(StatusCode::BAD_REQUEST, error, hint)
        };
        let addresses = match (is_present("x-forwarded-for"), is_present("forwarded")) {
            (false, false) => return Ok(Client::new(peer)),
            _ if !self.contains(peer) => return Err(bad("the address is not of a trusted proxy")),
            (true, true) => return Err(bad("there are two headers with the client's address")),
            (true, false) => list(headers, "x-forwarded-for", |part| Some(part)),
            (false, true) => list(headers, header::FORWARDED.as_str(), forwarded_for),
        };
        // Each proxy appends the address that it saw, so only the last ones can be trusted.
        let addresses: Option<Vec<IpAddr>> =
            addresses.iter().rev().map(|text| parse_address(text)).collect();
        let addresses = addresses.ok_or_else(|| bad("the client's address cannot be read"))?;
        let client = addresses.into_iter().find(|address| !self.contains(*address));
        Ok(Client::new(client.unwrap_or(peer)))
    }
}

/// The elements of a header that may occur several times and contains a list.
fn list(headers: &HeaderMap, name: &str, part: fn(&str) -> Option<&str>) -> Vec<String> {
    let values = headers.get_all(name).iter();
    let texts = values.map(|value| value.to_str().unwrap_or("?").split(','));
    texts.flatten().map(|text| part(text).unwrap_or("?").trim().to_string()).collect()
}

/// The value of `for=` in an element of the header `Forwarded`.
fn forwarded_for(element: &str) -> Option<&str> {
    element.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then_some(value)
    })
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `"[2001:db8::1]"` or `"[2001:db8::1]:80"`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim_matches('"');
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// The client of a request from this peer; `None` if the request is rejected.
    fn client(peer: &str, headers: &[(&'static str, &str)]) -> Option<Client> {
        let proxies = Proxies::new(&[address("10.0.0.1"), address("10.0.0.2")]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        proxies.client(address(peer), &map).ok()
    }

    fn is(text: &str) -> Option<Client> {
        Some(Client::new(address(text)))
    }

    #[test]
    fn a_trusted_proxy_names_the_client() {
        let x = "x-forwarded-for";
        assert_eq!(client("10.0.0.1", &[(x, "192.0.2.7")]), is("192.0.2.7"));
        assert_eq!(client("::ffff:10.0.0.1", &[(x, "192.0.2.7:4711")]), is("192.0.2.7"));
        assert_eq!(client("10.0.0.1", &[(x, "6.6.6.6, 192.0.2.7")]), is("192.0.2.7"));
        assert_eq!(client("10.0.0.1", &[(x, "6.6.6.6"), (x, "192.0.2.7")]), is("192.0.2.7"));
        assert_eq!(client("10.0.0.1", &[(x, "192.0.2.7, 10.0.0.2")]), is("192.0.2.7"));
        let forwarded = "for=\"[2001:db8:1:2::7]:80\";proto=https";
        assert_eq!(client("10.0.0.1", &[("forwarded", forwarded)]), is("2001:db8:1:2::9"));
        assert_eq!(client("10.0.0.1", &[]), is("10.0.0.1"));
    }

    #[test]
    fn nobody_else_names_a_client() {
        assert_eq!(client("192.0.2.7", &[]), is("192.0.2.7"));
        assert_eq!(client("192.0.2.7", &[("x-forwarded-for", "1.1.1.1")]), None);
        assert_eq!(client("192.0.2.7", &[("forwarded", "for=1.1.1.1")]), None);
        let both = [("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=1.1.1.1")];
        assert_eq!(client("10.0.0.1", &both), None, "one of them is the client's");
        assert_eq!(client("10.0.0.1", &[("x-forwarded-for", "unknown")]), None);
        let ignored = Proxies::default().client(
            address("192.0.2.7"),
            &[(header::FORWARDED, "for=1.1.1.1".parse().unwrap())].into_iter().collect(),
        );
        assert_eq!(ignored.ok(), is("192.0.2.7"), "without a proxy, the headers have no meaning");
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let client = |text| Client::new(address(text));
        assert_eq!(client("2001:db8:1:2::7"), client("2001:db8:1:2:ffff::1"));
        assert_ne!(client("2001:db8:1:2::7"), client("2001:db8:1:3::7"));
        assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
    }
}
