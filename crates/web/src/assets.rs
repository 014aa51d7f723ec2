//! The files of the page, inside the binary: what is not in this list does not exist.

use crate::server::AppState;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::OnceLock;

/// A file of the page.
struct Asset {
    /// Where the page asks for it: `/` or `/main.js`.
    path: &'static str,
    /// Its media type.
    kind: &'static str,
    /// What is in it.
    bytes: &'static [u8],
}

macro_rules! asset {
    ($path:literal, $kind:ident, $file:literal) => {
        Asset { path: $path, kind: $kind, bytes: include_bytes!(concat!("../", $file)) }
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const FONT: &str = "font/woff2";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

const ASSETS: &[Asset] = &[
    asset!("/", HTML, "ui/index.html"),
    asset!("/api.js", SCRIPT, "ui/api.js"),
    asset!("/batch-view.js", SCRIPT, "ui/batch-view.js"),
    asset!("/batch.js", SCRIPT, "ui/batch.js"),
    asset!("/board-view.js", SCRIPT, "ui/board-view.js"),
    asset!("/board.css", CSS, "ui/board.css"),
    asset!("/board.js", SCRIPT, "ui/board.js"),
    asset!("/day.js", SCRIPT, "ui/day.js"),
    asset!("/dom.js", SCRIPT, "ui/dom.js"),
    asset!("/engine.js", SCRIPT, "ui/engine.js"),
    asset!("/exercise.js", SCRIPT, "ui/exercise.js"),
    asset!("/game.js", SCRIPT, "ui/game.js"),
    asset!("/games-view.js", SCRIPT, "ui/games-view.js"),
    asset!("/games.js", SCRIPT, "ui/games.js"),
    asset!("/geometry.js", SCRIPT, "ui/geometry.js"),
    asset!("/icon.svg", SVG, "ui/icon.svg"),
    asset!("/keep.js", SCRIPT, "ui/keep.js"),
    asset!("/keys.js", SCRIPT, "ui/keys.js"),
    asset!("/learn-view.js", SCRIPT, "ui/learn-view.js"),
    asset!("/learn.js", SCRIPT, "ui/learn.js"),
    asset!("/link.js", SCRIPT, "ui/link.js"),
    asset!("/main.js", SCRIPT, "ui/main.js"),
    asset!("/make-view.js", SCRIPT, "ui/make-view.js"),
    asset!("/make.js", SCRIPT, "ui/make.js"),
    asset!("/manifest.webmanifest", MANIFEST, "ui/manifest.webmanifest"),
    asset!("/ninefold-digits.woff2", FONT, "ui/ninefold-digits.woff2"),
    asset!("/offline.js", SCRIPT, "ui/offline.js"),
    asset!("/page.js", SCRIPT, "ui/page.js"),
    asset!("/panels.js", SCRIPT, "ui/panels.js"),
    asset!("/pictures.js", SCRIPT, "ui/pictures.js"),
    asset!("/play-view.js", SCRIPT, "ui/play-view.js"),
    asset!("/play.css", CSS, "ui/play.css"),
    asset!("/play.js", SCRIPT, "ui/play.js"),
    asset!("/print.css", CSS, "ui/print.css"),
    asset!("/rate-view.js", SCRIPT, "ui/rate-view.js"),
    asset!("/rate.js", SCRIPT, "ui/rate.js"),
    asset!("/reason-view.js", SCRIPT, "ui/reason-view.js"),
    asset!("/render.js", SCRIPT, "ui/render.js"),
    asset!("/school.js", SCRIPT, "ui/school.js"),
    asset!("/show.js", SCRIPT, "ui/show.js"),
    asset!("/shuffle.js", SCRIPT, "ui/shuffle.js"),
    asset!("/store.js", SCRIPT, "ui/store.js"),
    asset!("/style.css", CSS, "ui/style.css"),
    asset!("/today-view.js", SCRIPT, "ui/today-view.js"),
    asset!("/today.js", SCRIPT, "ui/today.js"),
    asset!("/tokens.css", CSS, "ui/tokens.css"),
    asset!("/view.js", SCRIPT, "ui/view.js"),
    asset!("/views.css", CSS, "ui/views.css"),
    asset!("/watch-view.js", SCRIPT, "ui/watch-view.js"),
    asset!("/watch.js", SCRIPT, "ui/watch.js"),
    asset!("/win-view.js", SCRIPT, "ui/win-view.js"),
    asset!("/words-de.js", SCRIPT, "ui/words-de.js"),
    asset!("/words-en.js", SCRIPT, "ui/words-en.js"),
    asset!("/words-es.js", SCRIPT, "ui/words-es.js"),
    asset!("/words.js", SCRIPT, "ui/words.js"),
    asset!("/openapi.json", JSON, "openapi.json"),
];

/// The files of the page by their names, for a host that serves plain files.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let name = |asset: &Asset| if asset.path == "/" { "index.html" } else { asset.path.trim_start_matches('/') };
    ASSETS.iter().filter(|asset| asset.kind != JSON).map(move |asset| (name(asset), asset.bytes))
}

/// One route for each file.
pub fn routes() -> Router<AppState> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(async move |headers: HeaderMap| answer(asset, &headers)))
    })
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    // The tag changes with the file, so a browser asks again and mostly hears that nothing has changed.
    let tag = format!("\"{:016x}\"", fingerprint(asset.bytes));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == tag.as_bytes());
    let head = [
        (header::CONTENT_TYPE, asset.kind.to_string()),
        (header::CACHE_CONTROL, "no-cache".to_string()),
        (header::VARY, "accept-encoding".to_string()),
        (header::ETAG, tag),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    // A font is compressed already.
    if asset.kind != FONT && takes_gzip(headers) {
        return (head, [(header::CONTENT_ENCODING, "gzip")], zipped(asset)).into_response();
    }
    (head, asset.bytes).into_response()
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|encoding| encoding.trim() == "gzip" || encoding.trim().starts_with("gzip;q=1"))
}

/// The file as gzip; each is compressed once.
fn zipped(asset: &Asset) -> &'static [u8] {
    static ZIPPED: OnceLock<BTreeMap<&str, Vec<u8>>> = OnceLock::new();
    &ZIPPED.get_or_init(|| ASSETS.iter().map(|asset| (asset.path, zip(asset.bytes))).collect())[asset.path]
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut zipped = GzEncoder::new(Vec::new(), Compression::best());
    zipped.write_all(bytes).expect("a vector takes every byte");
    zipped.finish().expect("a vector takes every byte")
}

/// FNV-1a: short, and the same on every machine.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn text(path: &str) -> &'static str {
        let asset = ASSETS.iter().find(|asset| asset.path == path).unwrap_or_else(|| panic!("{path} is served"));
        std::str::from_utf8(asset.bytes).expect("text")
    }

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
        for asset in ASSETS.iter().filter(|asset| !["/offline.js", "/openapi.json"].contains(&asset.path)) {
            let kept = if asset.path == "/" { "./" } else { asset.path.trim_start_matches('/') };
            assert!(text("/offline.js").contains(&format!("\"{kept}\"")), "{} is not kept", asset.path);
        }
    }

    #[test]
    fn the_page_asks_for_nothing_from_the_root_so_that_it_can_lie_in_any_folder() {
        for asset in ASSETS.iter().filter(|asset| asset.kind != FONT && asset.path != "/openapi.json") {
            let text = text(asset.path);
            for rooted in ["href=\"/", "src=\"/", "fetch(\"/", "from \"/", "\"/api", "url(\"/", "register(\"/"] {
                assert!(!text.contains(rooted), "{} asks for {rooted}", asset.path);
            }
        }
    }

    #[test]
    fn the_first_load_stays_below_120_kilobytes_compressed() {
        let other_languages = ["/words-de.js", "/words-es.js", "/openapi.json"];
        let first = ASSETS.iter().filter(|asset| !other_languages.contains(&asset.path));
        let bytes: usize =
            first.map(|asset| if asset.kind == FONT { asset.bytes.len() } else { zip(asset.bytes).len() }).sum();
        assert!(bytes < 120_000, "{bytes} bytes");
    }

    /// The names in the text of a language: everything that begins a line, or follows a comma, before a colon.
    fn names_of(language: &str) -> BTreeSet<String> {
        let words = text(language).split_once("export const words = {").expect("a file of words").1;
        // What is said is no name.
        let (mut quote, mut names) = (None, String::new());
        for character in words.chars() {
            match quote {
                Some(open) if open == character => quote = None,
                None if character == '"' || character == '`' => quote = Some(character),
                None => names.push(character),
                Some(_) => {}
            }
        }
        names
            .lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .flat_map(|line| line.split(&['{', ',', ' '][..]).map(str::trim).collect::<Vec<_>>())
            .filter_map(|word| word.strip_suffix(':'))
            .filter(|word| {
                word.chars().all(char::is_alphanumeric) && word.starts_with(|first: char| first.is_ascii_lowercase())
            })
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn every_language_has_a_word_for_everything_and_the_page_asks_for_no_other() {
        let english = names_of("/words-en.js");
        assert!(english.len() > 200, "{}", english.len());
        for language in ["/words-de.js", "/words-es.js"] {
            let others = names_of(language);
            assert_eq!(
                english.difference(&others).collect::<Vec<_>>(),
                Vec::<&String>::new(),
                "{language} lacks words"
            );
            assert_eq!(others.difference(&english).collect::<Vec<_>>(), Vec::<&String>::new(), "{language} has more");
        }
        for mark in ["data-t=\"", "data-label=\"", "data-title=\"", "data-hold=\""] {
            for after in text("/").split(mark).skip(1) {
                let name = after.split('"').next().expect("an attribute ends");
                assert!(english.contains(name), "no word for {name}");
            }
        }
    }

    #[test]
    fn a_client_that_takes_gzip_gets_it_and_another_gets_the_plain_file() {
        let asset = &ASSETS[0];
        let mut headers = HeaderMap::new();
        assert!(!answer(asset, &headers).headers().contains_key(header::CONTENT_ENCODING));
        headers.insert(header::ACCEPT_ENCODING, "deflate, gzip, br".parse().expect("a header"));
        assert_eq!(answer(asset, &headers).headers()[header::CONTENT_ENCODING], "gzip");
    }
}
