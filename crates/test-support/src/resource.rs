//! What a test may need beside the repository, where it is looked for, and how to get it.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that a test may need and that is not part of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The public puzzle lists and the answers of other programs.
    SharedData,
    /// A browser that plays on the page.
    Chromium,
    /// The accessibility audit that runs in the page.
    Axe,
    /// The folder with the engine as WebAssembly, for the page without a server.
    Engine,
    /// A graphics card whose driver is loaded.
    Card,
}

impl Resource {
    const ALL: [Resource; 5] =
        [Resource::SharedData, Resource::Chromium, Resource::Axe, Resource::Engine, Resource::Card];

    /// Where it is on this machine, if it is here.
    pub fn path(self) -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        match self {
            Resource::SharedData => named_or("NINEFOLD_SHARED", root.join("../shared/data"))
                .filter(|path| path.is_dir()),
            Resource::Chromium => on_the_path(&["chromium", "chromium-browser", "google-chrome"]),
            Resource::Axe => {
                named_or("NINEFOLD_AXE", root.join("node_modules/axe-core/axe.min.js"))
                    .filter(|path| path.is_file())
            }
            Resource::Engine => named_or("NINEFOLD_WASM", root.join("crates/wasm/npm"))
                .filter(|folder| folder.join("engine.wasm").is_file()),
            // Sandboxes show one of the two.
            Resource::Card => ["/dev/nvidiactl", "/proc/driver/nvidia"]
                .map(PathBuf::from)
                .into_iter()
                .find(|path| path.exists()),
        }
    }

    /// How it is called in `NINEFOLD_REQUIRE`.
    fn word(self) -> &'static str {
        match self {
            Resource::SharedData => "shared",
            Resource::Chromium => "browser",
            Resource::Axe => "axe",
            Resource::Engine => "engine",
            Resource::Card => "card",
        }
    }

    /// How to get it.
    pub(crate) fn way_on(self) -> &'static str {
        match self {
            Resource::SharedData => {
                "put the lists beside the checkout, or name their folder in NINEFOLD_SHARED"
            }
            Resource::Chromium => "on Debian, `apt-get install chromium` installs the browser",
            Resource::Axe => {
                "`npm install --no-save axe-core` in the root, or name axe.min.js in NINEFOLD_AXE"
            }
            Resource::Engine => "`crates/wasm/build` makes it, or name its folder in NINEFOLD_WASM",
            Resource::Card => "run it where an NVIDIA card and its driver are",
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::SharedData => "../shared/data",
            Resource::Chromium => "Chromium",
            Resource::Axe => "axe-core",
            Resource::Engine => "engine as WebAssembly",
            Resource::Card => "graphics card",
        })
    }
}

fn named_or(variable: &str, usual: PathBuf) -> Option<PathBuf> {
    Some(std::env::var_os(variable).map_or(usual, PathBuf::from))
}

fn on_the_path(names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let paths = std::env::split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// What `NINEFOLD_REQUIRE` asks for.
pub(crate) fn required() -> Result<Vec<Resource>, String> {
    std::env::var("NINEFOLD_REQUIRE").map_or(Ok(Vec::new()), |words| named_in(&words))
}

fn named_in(words: &str) -> Result<Vec<Resource>, String> {
    let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| {
            let resource = Resource::ALL.into_iter().find(|resource| resource.word() == word);
            resource.ok_or_else(|| {
                format!("NINEFOLD_REQUIRE names {word:?}; it knows shared, browser, axe and engine")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn required_resources_are_named_by_words() {
        assert_eq!(named_in("shared, axe"), Ok(vec![Resource::SharedData, Resource::Axe]));
        assert_eq!(named_in("browser"), Ok(vec![Resource::Chromium]));
        assert_eq!(named_in(""), Ok(Vec::new()));
    }

    #[test]
    fn a_misspelt_word_requires_nothing_and_is_an_error() {
        assert!(named_in("shared,browsers").unwrap_err().contains("\"browsers\""));
    }
}
