//! The files of the page, inside the binary: what is not in this list does not exist.

use crate::server::AppState;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

struct Asset {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! asset {
    ($path:literal, $kind:ident, $file:literal) => {
        Asset { path: $path, kind: $kind, text: include_str!(concat!("../", $file)) }
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

const ASSETS: &[Asset] = &[
    asset!("/", HTML, "ui/index.html"),
    asset!("/style.css", CSS, "ui/style.css"),
    asset!("/print.css", CSS, "ui/print.css"),
    asset!("/api.js", SCRIPT, "ui/api.js"),
    asset!("/batch-view.js", SCRIPT, "ui/batch-view.js"),
    asset!("/batch.js", SCRIPT, "ui/batch.js"),
    asset!("/board.js", SCRIPT, "ui/board.js"),
    asset!("/dom.js", SCRIPT, "ui/dom.js"),
    asset!("/game.js", SCRIPT, "ui/game.js"),
    asset!("/geometry.js", SCRIPT, "ui/geometry.js"),
    asset!("/keys.js", SCRIPT, "ui/keys.js"),
    asset!("/learn-view.js", SCRIPT, "ui/learn-view.js"),
    asset!("/learn.js", SCRIPT, "ui/learn.js"),
    asset!("/link.js", SCRIPT, "ui/link.js"),
    asset!("/main.js", SCRIPT, "ui/main.js"),
    asset!("/make-view.js", SCRIPT, "ui/make-view.js"),
    asset!("/make.js", SCRIPT, "ui/make.js"),
    asset!("/page.js", SCRIPT, "ui/page.js"),
    asset!("/panels.js", SCRIPT, "ui/panels.js"),
    asset!("/rate-view.js", SCRIPT, "ui/rate-view.js"),
    asset!("/rate.js", SCRIPT, "ui/rate.js"),
    asset!("/render.js", SCRIPT, "ui/render.js"),
    asset!("/show.js", SCRIPT, "ui/show.js"),
    asset!("/store.js", SCRIPT, "ui/store.js"),
    asset!("/view.js", SCRIPT, "ui/view.js"),
    asset!("/watch-view.js", SCRIPT, "ui/watch-view.js"),
    asset!("/watch.js", SCRIPT, "ui/watch.js"),
    asset!("/words.js", SCRIPT, "ui/words.js"),
    asset!("/offline.js", SCRIPT, "ui/offline.js"),
    asset!("/icon.svg", SVG, "ui/icon.svg"),
    asset!("/manifest.webmanifest", MANIFEST, "ui/manifest.webmanifest"),
    asset!("/openapi.json", JSON, "openapi.json"),
];

/// One route for each file.
pub fn routes() -> Router<AppState> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(async move |headers: HeaderMap| answer(asset, &headers)))
    })
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    // The tag changes with the text, so a browser asks again and mostly hears that nothing has changed.
    let tag = format!("\"{:016x}\"", fingerprint(asset.text));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == tag.as_bytes());
    let head = [
        (header::CONTENT_TYPE, asset.kind.to_string()),
        (header::CACHE_CONTROL, "no-cache".to_string()),
        (header::ETAG, tag),
    ];
    if known { (StatusCode::NOT_MODIFIED, head).into_response() } else { (head, asset.text).into_response() }
}

/// FNV-1a: short, and the same on every machine.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_in_the_list() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
        for entry in std::fs::read_dir(folder).expect("the page has files") {
            let name = entry.expect("a file has a name").file_name().to_string_lossy().into_owned();
            let path = if name == "index.html" { "/".to_string() } else { format!("/{name}") };
            assert!(ASSETS.iter().any(|asset| asset.path == path), "{name} is not served");
        }
    }

    #[test]
    fn the_page_keeps_all_its_files_for_the_time_without_a_server() {
        let worker = ASSETS.iter().find(|asset| asset.path == "/offline.js").expect("there is a service worker");
        for asset in ASSETS.iter().filter(|asset| !["/offline.js", "/openapi.json"].contains(&asset.path)) {
            assert!(worker.text.contains(&format!("\"{}\"", asset.path)), "{} is not kept", asset.path);
        }
    }

    #[test]
    fn the_page_without_weights_stays_below_200_kilobytes() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.text.len()).sum();
        assert!(bytes < 200_000, "{bytes} bytes");
    }
}
