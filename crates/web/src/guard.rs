//! Middleware: access checks and security headers.

use crate::access::Access;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

macro_rules! policy {
    () => {
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
         worker-src 'self'; base-uri 'none'; form-action 'none'"
    };
}

/// The page may load only its own files: no inline scripts, nothing from other sites, and no site
/// may show it in a frame. WebAssembly is allowed for the engine, which works offline.
const CONTENT_SECURITY_POLICY: &str = concat!(policy!(), "; frame-ancestors 'none'");

/// The policy of `/?embed`, which shows one puzzle and offers nothing but to play it. Other sites may
/// show it in a frame.
const EMBED_POLICY: &str = policy!();

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Rejects requests without access. Adds the security headers and a `server-timing` header to every
/// response.
pub async fn check_access(access: &Access, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let is_embedded = parts.uri.path() == "/" && parts.uri.query() == Some("embed");
    let mut response = match access.check(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(rejection) => *rejection,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    if is_embedded {
        let policy = HeaderValue::from_static(EMBED_POLICY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    let time = format!("answer;dur={:.2}", started.elapsed().as_secs_f64() * 1000.0);
    let time = HeaderValue::from_str(&time).expect("a formatted number is a valid header value");
    response.headers_mut().insert(HeaderName::from_static("server-timing"), time);
    response
}
