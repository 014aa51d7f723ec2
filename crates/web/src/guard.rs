//! What stands before every answer: who may ask, and what the browser may do with the answer.

use crate::access::Access;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use std::time::Instant;

/// Nothing but our own files: no inline script, no other site, no frame around us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests that are not for us, and adds to every answer the security headers and the time it took.
pub async fn check_access(access: &Access, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let mut response = match access.check(&parts) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(refused) => *refused,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let time = format!("answer;dur={:.2}", started.elapsed().as_secs_f64() * 1000.0);
    let time = HeaderValue::from_str(&time).expect("a number is a header");
    response.headers_mut().insert(HeaderName::from_static("server-timing"), time);
    response
}
