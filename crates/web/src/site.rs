//! The page as plain files for any web host: the files of the page, the engine, the daily puzzles of
//! a year, and all lessons. The page plays and teaches even before the engine has arrived.

use crate::assets::page_files;
use flate2::read::GzDecoder;
use ninefold::Language;
use std::borrow::Cow;
use std::io::Read;

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
}

/// A file with its path relative to the page.
pub type SiteFile = (String, Cow<'static, [u8]>);

/// All files of a static page, except the engine.
pub fn site_files() -> Vec<SiteFile> {
    let page = page_files().map(|(name, bytes)| (name.to_string(), Cow::Borrowed(bytes)));
    let daily =
        embedded::DAILY.iter().map(|(name, packed)| (format!("daily/{name}"), unpack(packed)));
    page.chain(daily).chain(lessons()).collect()
}

/// The files of the engine; `None` if the program was built without it.
pub fn engine_files() -> Option<Vec<SiteFile>> {
    let files = embedded::ENGINE.iter().map(|(name, packed)| (name.to_string(), unpack(packed)));
    Some(files.collect()).filter(|files: &Vec<SiteFile>| !files.is_empty())
}

/// The embedded files that the server sends as they are, compressed: path and bytes.
pub(crate) fn packed_files() -> impl Iterator<Item = (String, &'static [u8])> {
    let engine = embedded::ENGINE.iter().map(|(name, packed)| (format!("/{name}"), *packed));
    let daily = embedded::DAILY.iter().map(|(name, packed)| (format!("/daily/{name}"), *packed));
    engine.chain(daily)
}

pub(crate) fn unpack(packed: &[u8]) -> Cow<'static, [u8]> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes).expect("the embedded file is valid");
    Cow::Owned(bytes)
}

/// The answers of the API about lessons and techniques, which depend on no request.
fn lessons() -> Vec<SiteFile> {
    let file =
        |name: String, answer: serde_json::Value| (name, answer.to_string().into_bytes().into());
    let mut files = vec![
        file("lessons/lessons.json".to_string(), ninefold_api::lessons::list()),
        file("lessons/techniques.json".to_string(), ninefold_api::techniques()),
    ];
    for lesson in ninefold::explain::lessons::all() {
        for language in Language::ALL {
            let name = format!("lessons/{}.{}.json", lesson.technique.slug(), language.code());
            files.push(file(name, ninefold_api::lessons::view(lesson, language)));
        }
    }
    files
}
