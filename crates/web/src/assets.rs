//! The files of the page, embedded in the program. Files that are not listed here are not served.
//!
//! `dist/` contains the scripts and the style sheet that `build-page` bundles from `ui/`; it is
//! committed, so that building the server needs only cargo. The other files come from `ui/`
//! unchanged.

use crate::server::AppState;
use crate::site;
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::sync::OnceLock;

struct Asset {
    /// URL path: `/` or `/main.js`.
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
    /// The ETag and the gzip-compressed bytes, computed on first use.
    etag: OnceLock<HeaderValue>,
    gzip: OnceLock<Vec<u8>>,
}

impl Asset {
    const fn new(path: &'static str, media_type: &'static str, bytes: &'static [u8]) -> Asset {
        Asset { path, media_type, bytes, etag: OnceLock::new(), gzip: OnceLock::new() }
    }

    fn etag(&self) -> &HeaderValue {
        self.etag.get_or_init(|| {
            let tag = format!("\"{:016x}\"", fnv1a(self.bytes));
            HeaderValue::from_str(&tag).expect("hexadecimal digits are a valid header value")
        })
    }

    fn gzip(&self) -> &[u8] {
        self.gzip.get_or_init(|| gzip(self.bytes))
    }
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const PNG: &str = "image/png";
const FONT: &str = "font/woff2";
const WASM: &str = "application/wasm";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

/// An unchanged file of `ui/`, served under its own name.
macro_rules! ui {
    ($name:literal, $media_type:ident) => {
        ui!(concat!("/", $name), $name, $media_type)
    };
    ($path:expr, $name:literal, $media_type:ident) => {
        Asset::new($path, $media_type, include_bytes!(concat!("../ui/", $name)))
    };
}

/// A file of `dist/`, built by `build-page`.
macro_rules! dist {
    ($name:literal, $media_type:ident) => {
        Asset::new(concat!("/", $name), $media_type, include_bytes!(concat!("../dist/", $name)))
    };
}

static ASSETS: [Asset; 23] = [
    ui!("/", "index.html", HTML),
    ui!("icon.svg", SVG),
    ui!("icon-180.png", PNG),
    ui!("icon-512.png", PNG),
    ui!("card.png", PNG),
    ui!("manifest.webmanifest", MANIFEST),
    ui!("ninefold-digits.woff2", FONT),
    dist!("page.css", CSS),
    dist!("main.js", SCRIPT),
    dist!("shared.js", SCRIPT),
    dist!("other-views.js", SCRIPT),
    dist!("variants.js", SCRIPT),
    dist!("train.js", SCRIPT),
    dist!("desk.js", SCRIPT),
    dist!("extra.css", CSS),
    dist!("photo.js", SCRIPT),
    dist!("arrows.js", SCRIPT),
    dist!("photo.css", CSS),
    dist!("qr.js", SCRIPT),
    dist!("words-de.js", SCRIPT),
    dist!("words-es.js", SCRIPT),
    dist!("offline.js", SCRIPT),
    Asset::new("/openapi.json", JSON, include_bytes!("../openapi.json")),
];

/// The names and contents of the page's files, for hosts that serve plain files.
pub(crate) fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let name = |asset: &'static Asset| {
        if asset.path == "/" { "index.html" } else { asset.path.trim_start_matches('/') }
    };
    ASSETS
        .iter()
        .filter(|asset| asset.media_type != JSON)
        .map(move |asset| (name(asset), asset.bytes))
}

/// One route for each file.
pub fn routes() -> Router<AppState> {
    let router = ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(asset.path, get(async move |headers: HeaderMap| answer(asset, &headers)))
    });
    site::packed_files().fold(router, |router, (path, packed)| {
        let media_type = match path.rsplit('.').next() {
            Some("js") => SCRIPT,
            Some("wasm") => WASM,
            Some("bin") => "application/octet-stream",
            _ => "text/plain; charset=utf-8",
        };
        let answer = async move |headers: HeaderMap| answer_packed(packed, media_type, &headers);
        router.route(&path, get(answer))
    })
}

/// Answers with an embedded file that is already compressed.
fn answer_packed(packed: &'static [u8], media_type: &'static str, headers: &HeaderMap) -> Response {
    let tag = format!("\"{:016x}\"", fnv1a(packed));
    let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits are a valid header value");
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (header::ETAG, tag.clone()),
    ];
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    if accepts_gzip(headers) {
        return (head, [(header::CONTENT_ENCODING, "gzip")], packed).into_response();
    }
    (head, site::unpack(packed).into_owned()).into_response()
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type)),
        // Browsers ask again each time; an unchanged ETag makes the answer short.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
        (header::ETAG, asset.etag().clone()),
    ];
    if headers.get(header::IF_NONE_MATCH) == Some(asset.etag()) {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    // Fonts and pictures are already compressed.
    if ![FONT, PNG].contains(&asset.media_type) && accepts_gzip(headers) {
        return (head, [(header::CONTENT_ENCODING, "gzip")], asset.gzip()).into_response();
    }
    (head, asset.bytes).into_response()
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|accepted| accepted.to_str().ok())
        .unwrap_or("");
    accepted
        .split(',')
        .any(|encoding| encoding.trim() == "gzip" || encoding.trim().starts_with("gzip;q=1"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("writing to a vector cannot fail");
    encoder.finish().expect("writing to a vector cannot fail")
}

/// The FNV-1a hash: short, and the same on every machine.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn text(path: &str) -> &'static str {
        let asset = ASSETS.iter().find(|asset| asset.path == path);
        let asset = asset.unwrap_or_else(|| panic!("{path} is not served"));
        std::str::from_utf8(asset.bytes).expect("the file is UTF-8")
    }

    /// The names of all files in a directory of this crate, with their contents.
    fn files(directory: &str) -> Vec<(String, String)> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let entries = std::fs::read_dir(directory).expect("the directory can be read");
        let read = |path: &Path| {
            String::from_utf8_lossy(&std::fs::read(path).expect("the file can be read"))
                .into_owned()
        };
        entries
            .map(|entry| entry.expect("the directory can be read"))
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), read(&entry.path())))
            .collect()
    }

    #[test]
    fn every_file_of_dist_and_ui_is_served_or_imported() {
        let is_served = |name: &str| ASSETS.iter().any(|asset| asset.path[1..] == *name);
        for (name, _) in files("dist") {
            assert!(is_served(&name), "{name} is not served");
        }
        let ui = files("ui");
        for (name, _) in &ui {
            let is_imported = ui.iter().any(|(_, text)| text.contains(&format!("\"./{name}\"")));
            assert!(name == "index.html" || is_served(name) || is_imported, "{name} is not used");
        }
    }

    #[test]
    fn the_board_needs_one_style_sheet_and_two_scripts_loaded_in_parallel() {
        let page = text("/");
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("<script type=\"module\" src=\"main.js\"></script>"));
        assert!(page.contains("<link rel=\"modulepreload\" href=\"shared.js\">"));
        assert_eq!(page.matches("rel=\"stylesheet\"").count(), 1);
        assert!(text("/main.js").contains("from\"./shared.js\""));
        let imports = |name: &str| text(name).matches("from\"./").count();
        assert_eq!((imports("/main.js"), imports("/shared.js")), (1, 0));
        assert!(text("/page.css").contains("@media print{"));
    }

    #[test]
    fn the_service_worker_caches_every_file_of_the_page() {
        for asset in ASSETS
            .iter()
            .filter(|asset| !["/offline.js", "/openapi.json", "/card.png"].contains(&asset.path))
        {
            let cached = if asset.path == "/" { "./" } else { asset.path.trim_start_matches('/') };
            let is_cached = text("/offline.js").contains(&format!("\"{cached}\""));
            assert!(is_cached, "{} is not cached", asset.path);
        }
    }

    #[test]
    fn urls_are_relative_so_that_the_page_works_in_any_directory() {
        for asset in ASSETS.iter().filter(|asset| {
            ![FONT, PNG].contains(&asset.media_type) && asset.path != "/openapi.json"
        }) {
            for rooted in [
                "href=\"/",
                "src=\"/",
                "fetch(\"/",
                "from\"/",
                "import(\"/",
                "\"/api",
                "url(/",
                "url(\"/",
                "register(\"/",
            ] {
                assert!(!text(asset.path).contains(rooted), "{} contains {rooted}", asset.path);
            }
        }
    }

    /// The files that show the first board.
    const FIRST: [&str; 7] = [
        "/",
        "/page.css",
        "/main.js",
        "/shared.js",
        "/ninefold-digits.woff2",
        "/icon.svg",
        "/manifest.webmanifest",
    ];

    fn compressed(paths: &[&str]) -> usize {
        let assets = ASSETS.iter().filter(|asset| paths.contains(&asset.path));
        assets.map(|asset| asset.gzip().len()).sum()
    }

    #[test]
    fn the_first_load_stays_below_64_kilobytes_compressed() {
        let bytes = compressed(&FIRST);
        assert!(bytes < 64_000, "{bytes} bytes");
    }

    /// Rules, the trainer, the desk, photos and links of hints are loaded when they are needed.
    #[test]
    fn the_first_visit_stays_below_78_kilobytes_compressed() {
        let bytes = compressed(&[&FIRST[..], &["/other-views.js"]].concat());
        assert!(
            bytes < 78_000,
            "{bytes} bytes; with the heads of the answers it must stay below 80"
        );
        for later in ["variants.js", "train.js", "desk.js", "extra.css", "arrows.js", "photo.js"] {
            assert!(!text("/").contains(later), "{later} is loaded at once");
        }
    }

    /// The names of all texts in a file of texts: words at the beginning of a line or after a
    /// comma, before a colon.
    fn text_names(file: &str) -> BTreeSet<String> {
        let texts = file.split_once("export const words = {").expect("the file contains texts").1;
        // Skip string literals.
        let (mut quote, mut names) = (None, String::new());
        for character in texts.chars() {
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
                word.chars().all(char::is_alphanumeric)
                    && word.starts_with(|first: char| first.is_ascii_lowercase())
            })
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn every_language_has_all_texts_and_the_page_uses_no_others() {
        let english = text_names(include_str!("../ui/words-en.js"));
        assert!(english.len() > 200, "{}", english.len());
        let other_languages =
            [include_str!("../ui/words-de.js"), include_str!("../ui/words-es.js")];
        for names in other_languages.map(text_names) {
            assert_eq!(english.symmetric_difference(&names).collect::<Vec<_>>(), [""; 0]);
        }
        for attribute in ["data-t=\"", "data-label=\"", "data-title=\"", "data-hold=\""] {
            for after in text("/").split(attribute).skip(1) {
                let name = after.split('"').next().expect("an attribute ends with a quote");
                assert!(english.contains(name), "no text named {name}");
            }
        }
    }

    #[test]
    fn files_are_compressed_only_for_clients_that_accept_gzip() {
        let asset = &ASSETS[0];
        let mut headers = HeaderMap::new();
        assert!(!answer(asset, &headers).headers().contains_key(header::CONTENT_ENCODING));
        headers.insert(header::ACCEPT_ENCODING, "deflate, gzip, br".parse().expect("a header"));
        assert_eq!(answer(asset, &headers).headers()[header::CONTENT_ENCODING], "gzip");
    }
}
