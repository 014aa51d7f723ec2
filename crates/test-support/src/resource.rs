//! External resources: where to find them and how to get them.

use std::fmt;
use std::path::{Path, PathBuf};

/// A resource that tests may need and that is not part of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Public puzzle lists and the results of other programs.
    SharedData,
    /// A browser that drives the web page.
    Chromium,
    /// The axe-core accessibility audit.
    Axe,
    /// The directory with the WebAssembly engine, for the page without a server.
    Engine,
    /// An NVIDIA GPU with its driver loaded.
    Gpu,
}

impl Resource {
    const ALL: [Resource; 5] =
        [Resource::SharedData, Resource::Chromium, Resource::Axe, Resource::Engine, Resource::Gpu];

    /// The path on this machine, if the resource is available.
    pub fn path(self) -> Option<PathBuf> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        match self {
            Resource::SharedData => {
                env_or("NINEFOLD_SHARED", root.join("../shared/data")).filter(|path| path.is_dir())
            }
            Resource::Chromium => find_in_path(&["chromium", "chromium-browser", "google-chrome"]),
            Resource::Axe => env_or("NINEFOLD_AXE", root.join("node_modules/axe-core/axe.min.js"))
                .filter(|path| path.is_file()),
            Resource::Engine => env_or("NINEFOLD_WASM", root.join("crates/wasm/npm"))
                .filter(|directory| directory.join("engine.wasm").is_file()),
            // Sandboxes may expose only one of the two.
            Resource::Gpu => ["/dev/nvidiactl", "/proc/driver/nvidia"]
                .map(PathBuf::from)
                .into_iter()
                .find(|path| path.exists()),
        }
    }

    /// The name in `NINEFOLD_REQUIRE`.
    fn name(self) -> &'static str {
        match self {
            Resource::SharedData => "shared",
            Resource::Chromium => "browser",
            Resource::Axe => "axe",
            Resource::Engine => "engine",
            Resource::Gpu => "gpu",
        }
    }

    /// How to get the resource.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Resource::SharedData => {
                "put the lists beside the checkout, or set NINEFOLD_SHARED to their directory"
            }
            Resource::Chromium => "install Chromium, on Debian with `apt-get install chromium`",
            Resource::Axe => {
                "run `npm install --no-save axe-core` in the root, or set NINEFOLD_AXE to axe.min.js"
            }
            Resource::Engine => {
                "run `crates/wasm/build`, or set NINEFOLD_WASM to the directory of the engine"
            }
            Resource::Gpu => "run on a machine with an NVIDIA GPU and its driver",
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::SharedData => "../shared/data",
            Resource::Chromium => "Chromium",
            Resource::Axe => "axe-core",
            Resource::Engine => "WebAssembly engine",
            Resource::Gpu => "GPU",
        })
    }
}

fn env_or(variable: &str, usual: PathBuf) -> Option<PathBuf> {
    Some(std::env::var_os(variable).map_or(usual, PathBuf::from))
}

fn find_in_path(names: &[&str]) -> Option<PathBuf> {
    let directories = std::env::var_os("PATH")?;
    let paths = std::env::split_paths(&directories)
        .flat_map(|directory| names.iter().map(move |name| directory.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// The resources in `NINEFOLD_REQUIRE`.
pub(crate) fn required() -> Result<Vec<Resource>, String> {
    std::env::var("NINEFOLD_REQUIRE").map_or(Ok(Vec::new()), |names| parse_names(&names))
}

fn parse_names(names: &str) -> Result<Vec<Resource>, String> {
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let resource = Resource::ALL.into_iter().find(|resource| resource.name() == name);
            resource.ok_or_else(|| {
                let known = Resource::ALL.map(Resource::name).join(", ");
                format!("NINEFOLD_REQUIRE: unknown resource {name:?}, expected {known}")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_required_resources() {
        assert_eq!(parse_names("shared, axe"), Ok(vec![Resource::SharedData, Resource::Axe]));
        assert_eq!(parse_names("browser"), Ok(vec![Resource::Chromium]));
        assert_eq!(parse_names(""), Ok(Vec::new()));
    }

    #[test]
    fn rejects_unknown_resources() {
        assert!(parse_names("shared,browsers").unwrap_err().contains("\"browsers\""));
    }
}
