//! Who may ask, and what the browser may do with the answer: host names and security headers.

use crate::error::ApiError;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::time::Instant;

/// Nothing but our own files: no inline script, no other site, no frame around us.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests for other hosts, and adds to every answer the security headers and the time it took.
///
/// A page elsewhere can give its own name the address of this machine; its requests then carry that name as host. Names
/// we do not have are refused, so such a page reads nothing here.
pub async fn check_host(own_hosts: &[String], request: Request, next: Next) -> Response {
    let started = Instant::now();
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let is_ours = own_hosts.is_empty() || own_hosts.iter().any(|own| own.eq_ignore_ascii_case(without_port(host)));
    let mut response = if is_ours {
        next.run(request).await
    } else {
        let hint = "open the address that ninefold serve prints";
        ApiError::new(StatusCode::MISDIRECTED_REQUEST, "this server has another name", hint).into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let time = format!("answer;dur={:.2}", started.elapsed().as_secs_f64() * 1000.0);
    let time = HeaderValue::from_str(&time).expect("a number is a header");
    response.headers_mut().insert(HeaderName::from_static("server-timing"), time);
    response
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
    use super::without_port;

    #[test]
    fn the_port_is_no_part_of_the_name() {
        assert_eq!(without_port("localhost:8080"), "localhost");
        assert_eq!(without_port("[::1]:8080"), "[::1]");
        assert_eq!(without_port("[::1]"), "[::1]");
        assert_eq!(without_port("localhost"), "localhost");
    }
}
