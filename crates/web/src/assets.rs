//! The files of the page, inside the binary: what is not in this list does not exist.
//!
//! `ui/` has many small modules and style sheets, for those who write them. The page asks for few files, since each costs a
//! slow phone a way to the server and back: they are joined once, when the first of them is needed.

use crate::bundle::{join_modules, join_styles};
use crate::server::AppState;
use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::io::Write;
use std::sync::{LazyLock, OnceLock};

/// A file of the page.
struct Asset {
    /// Where the page asks for it: `/` or `/main.js`.
    path: String,
    /// Its media type.
    kind: &'static str,
    /// What is in it.
    bytes: Cow<'static, [u8]>,
    /// The same as gzip, once somebody has asked for it.
    zipped: OnceLock<Vec<u8>>,
}

impl Asset {
    fn new(
        path: impl Into<String>,
        kind: &'static str,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Asset {
        Asset { path: path.into(), kind, bytes: bytes.into(), zipped: OnceLock::new() }
    }

    fn zipped(&self) -> &[u8] {
        self.zipped.get_or_init(|| zip(&self.bytes))
    }
}

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../ui/", $name)))
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const FONT: &str = "font/woff2";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

/// The scripts that the page asks for, by the modules they begin with: what it needs at once, the views that come after the
/// board, the other languages, and the service worker.
const SCRIPTS: &[&str] = &["main.js", "other-views.js", "words-de.js", "words-es.js", "offline.js"];

const MODULES: &[(&str, &str)] = &[
    source!("api.js"),
    source!("arrows.js"),
    source!("batch-view.js"),
    source!("batch.js"),
    source!("board-view.js"),
    source!("board.js"),
    source!("day.js"),
    source!("dom.js"),
    source!("engine.js"),
    source!("exercise.js"),
    source!("game.js"),
    source!("games-view.js"),
    source!("games.js"),
    source!("geometry.js"),
    source!("keep.js"),
    source!("keys.js"),
    source!("learn-view.js"),
    source!("learn.js"),
    source!("link.js"),
    source!("main.js"),
    source!("make-view.js"),
    source!("make.js"),
    source!("offline.js"),
    source!("other-views.js"),
    source!("page.js"),
    source!("panels.js"),
    source!("pictures.js"),
    source!("play-view.js"),
    source!("play.js"),
    source!("rate-view.js"),
    source!("rate.js"),
    source!("reason-view.js"),
    source!("render.js"),
    source!("school.js"),
    source!("show.js"),
    source!("shuffle.js"),
    source!("store.js"),
    source!("today-view.js"),
    source!("today.js"),
    source!("view.js"),
    source!("watch-view.js"),
    source!("watch.js"),
    source!("win-view.js"),
    source!("words-de.js"),
    source!("words-en.js"),
    source!("words-es.js"),
    source!("words.js"),
];

const STYLES: &[(&str, &str)] = &[
    source!("board.css"),
    source!("play.css"),
    source!("print.css"),
    source!("style.css"),
    source!("tokens.css"),
    source!("views.css"),
];

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let scripts = join_modules(SCRIPTS, MODULES)
        .unwrap_or_else(|error| panic!("our own modules join: {error}"));
    let styled = join_styles(include_str!("../ui/index.html"), "page.css", STYLES)
        .expect("our own style sheets join");
    let mut assets = vec![
        Asset::new("/", HTML, styled.page.into_bytes()),
        Asset::new("/page.css", CSS, styled.style.into_bytes()),
        Asset::new("/icon.svg", SVG, include_bytes!("../ui/icon.svg").as_slice()),
        Asset::new(
            "/manifest.webmanifest",
            MANIFEST,
            include_bytes!("../ui/manifest.webmanifest").as_slice(),
        ),
        Asset::new(
            "/ninefold-digits.woff2",
            FONT,
            include_bytes!("../ui/ninefold-digits.woff2").as_slice(),
        ),
        Asset::new("/openapi.json", JSON, include_bytes!("../openapi.json").as_slice()),
    ];
    let named = SCRIPTS.iter().zip(scripts);
    assets.extend(
        named.map(|(name, script)| Asset::new(format!("/{name}"), SCRIPT, script.into_bytes())),
    );
    assets
});

/// The files of the page by their names, for a host that serves plain files.
pub fn page_files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let name = |asset: &'static Asset| {
        if asset.path == "/" { "index.html" } else { asset.path.trim_start_matches('/') }
    };
    ASSETS
        .iter()
        .filter(|asset| asset.kind != JSON)
        .map(move |asset| (name(asset), asset.bytes.as_ref()))
}

/// One route for each file.
pub fn routes() -> Router<AppState> {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        router.route(&asset.path, get(async move |headers: HeaderMap| answer(asset, &headers)))
    })
}

fn answer(asset: &'static Asset, headers: &HeaderMap) -> Response {
    // The tag changes with the file, so a browser asks again and mostly hears that nothing has changed.
    let tag = format!("\"{:016x}\"", fingerprint(&asset.bytes));
    let known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|sent| sent.as_bytes() == tag.as_bytes());
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
        return (head, [(header::CONTENT_ENCODING, "gzip")], asset.zipped()).into_response();
    }
    (head, asset.bytes.as_ref()).into_response()
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|accepted| accepted.to_str().ok())
        .unwrap_or("");
    accepted
        .split(',')
        .any(|encoding| encoding.trim() == "gzip" || encoding.trim().starts_with("gzip;q=1"))
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut zipped = GzEncoder::new(Vec::new(), Compression::best());
    zipped.write_all(bytes).expect("a vector takes every byte");
    zipped.finish().expect("a vector takes every byte")
}

/// FNV-1a: short, and the same on every machine.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn text(path: &str) -> &'static str {
        let asset = ASSETS
            .iter()
            .find(|asset| asset.path == path)
            .unwrap_or_else(|| panic!("{path} is served"));
        std::str::from_utf8(&asset.bytes).expect("text")
    }

    fn source(name: &str) -> &'static str {
        let source = MODULES.iter().find(|(source, _)| *source == name);
        source.unwrap_or_else(|| panic!("{name} is a module")).1
    }

    #[test]
    fn every_file_of_the_page_is_served_by_itself_or_within_another() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
        for entry in std::fs::read_dir(folder).expect("the page has files") {
            let name = entry.expect("a file has a name").file_name().to_string_lossy().into_owned();
            let path = if name == "index.html" { "/".to_string() } else { format!("/{name}") };
            let is_module = ASSETS.iter().any(|asset| {
                asset.kind == SCRIPT
                    && String::from_utf8_lossy(&asset.bytes).contains(&format!("// {name}\n"))
            });
            let is_style = include_str!("../ui/index.html").contains(&format!("href=\"{name}\""));
            assert!(
                is_module || is_style || ASSETS.iter().any(|asset| asset.path == path),
                "{name} is not served"
            );
        }
    }

    #[test]
    fn the_board_needs_one_script_and_one_style_sheet() {
        let page = text("/");
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("<script type=\"module\" src=\"main.js\"></script>"));
        assert_eq!(page.matches("rel=\"stylesheet\"").count(), 1);
        assert!(
            !text("/main.js").lines().any(|line| line.starts_with("import ")),
            "it waits for no other script"
        );
        assert!(text("/page.css").contains("@media print {"));
    }

    #[test]
    fn the_page_keeps_all_its_files_for_the_time_without_a_server() {
        for asset in ASSETS
            .iter()
            .filter(|asset| !["/offline.js", "/openapi.json"].contains(&asset.path.as_str()))
        {
            let kept = if asset.path == "/" { "./" } else { asset.path.trim_start_matches('/') };
            assert!(
                text("/offline.js").contains(&format!("\"{kept}\"")),
                "{} is not kept",
                asset.path
            );
        }
    }

    #[test]
    fn the_page_asks_for_nothing_from_the_root_so_that_it_can_lie_in_any_folder() {
        for asset in
            ASSETS.iter().filter(|asset| asset.kind != FONT && asset.path != "/openapi.json")
        {
            let text = text(&asset.path);
            for rooted in [
                "href=\"/",
                "src=\"/",
                "fetch(\"/",
                "from \"/",
                "\"/api",
                "url(\"/",
                "register(\"/",
            ] {
                assert!(!text.contains(rooted), "{} asks for {rooted}", asset.path);
            }
        }
    }

    #[test]
    fn the_first_load_stays_below_65_kilobytes_compressed() {
        let first = [
            "/",
            "/page.css",
            "/main.js",
            "/ninefold-digits.woff2",
            "/icon.svg",
            "/manifest.webmanifest",
        ];
        let bytes: usize = ASSETS
            .iter()
            .filter(|asset| first.contains(&asset.path.as_str()))
            .map(|asset| asset.zipped().len())
            .sum();
        assert!(bytes < 65_000, "{bytes} bytes");
    }

    /// The names in the text of a language: everything that begins a line, or follows a comma, before a colon.
    fn names_of(language: &str) -> BTreeSet<String> {
        let words =
            source(language).split_once("export const words = {").expect("a file of words").1;
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
                word.chars().all(char::is_alphanumeric)
                    && word.starts_with(|first: char| first.is_ascii_lowercase())
            })
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn every_language_has_a_word_for_everything_and_the_page_asks_for_no_other() {
        let english = names_of("words-en.js");
        assert!(english.len() > 200, "{}", english.len());
        for language in ["words-de.js", "words-es.js"] {
            let others = names_of(language);
            assert_eq!(
                english.difference(&others).collect::<Vec<_>>(),
                Vec::<&String>::new(),
                "{language} lacks words"
            );
            assert_eq!(
                others.difference(&english).collect::<Vec<_>>(),
                Vec::<&String>::new(),
                "{language} has more"
            );
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
