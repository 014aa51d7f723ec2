//! `ninefold site`: the page as a folder of files that any web host serves.

use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::Args;
use std::path::{Path, PathBuf};

/// Write the page into a folder that any web host can serve
///
/// The engine answers in the browser then: hints, explanations, solutions, ratings, new puzzles and lessons work without a
/// server of ours. Watching networks at work needs `ninefold serve`.
#[derive(Args, Debug)]
pub struct Options {
    /// The folder; it is made if it is not there, and files of the same names are replaced
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// The folder with the engine, as crates/wasm/build makes it; without one the page plays, and explains nothing
    #[arg(long, value_name = "FOLDER")]
    engine: Option<PathBuf>,

    /// The address under which others will open the page; links that are shared begin with it
    #[arg(long, value_name = "URL", value_parser = web_address)]
    base: Option<String>,
}

/// The files of an engine, and whether a page can do without them.
const ENGINE: [(&str, bool); 4] = [
    ("index.js", true),
    ("engine-worker.js", true),
    ("engine.wasm", true),
    ("engine-plain.wasm", false),
];

/// What the browser may do with the page, where no header of a server says it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
                      base-uri 'none'; form-action 'none'";

/// Writes the files.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let folder = &options.folder;
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut count = 0;
    for (name, bytes) in ninefold_web::page_files() {
        let bytes = if name == "index.html" {
            index(bytes, options.base.as_deref())
        } else {
            bytes.to_vec()
        };
        write(&folder.join(name), &bytes)?;
        count += 1;
    }
    match &options.engine {
        Some(engine) => count += copy_engine(engine, folder)?,
        None => eprintln!(
            "warning: there is no engine in this page\n\nhint: --engine FOLDER adds the one of crates/wasm/build"
        ),
    }
    tell!("{count} files in {}", folder.display());
    Ok(Verdict::Yes)
}

fn copy_engine(from: &Path, to: &Path) -> Result<usize, CliError> {
    let mut count = 0;
    for (name, is_needed) in ENGINE {
        match std::fs::read(from.join(name)) {
            Ok(bytes) => {
                write(&to.join(name), &bytes)?;
                count += 1;
            }
            Err(error) if is_needed => {
                let file = from.join(name);
                return Err(CliError::new(format!("{} cannot be read: {error}", file.display()))
                    .hint("crates/wasm/build makes the engine in crates/wasm/npm"));
            }
            Err(_) => {}
        }
    }
    Ok(count)
}

/// The first page with its policy and the address for links that are shared.
fn index(bytes: &[u8], base: Option<&str>) -> Vec<u8> {
    let page = String::from_utf8_lossy(bytes);
    let policy = format!("  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    let base = base.map_or(String::new(), |base| {
        format!("  <meta name=\"ninefold-base\" content=\"{base}\">\n")
    });
    page.replacen("  <title>", &format!("{policy}{base}  <title>"), 1).into_bytes()
}

/// An address that can stand in an attribute.
fn web_address(typed: &str) -> Result<String, String> {
    let is_web = typed.starts_with("https://") || typed.starts_with("http://");
    if is_web && !typed.contains(['"', '<', '>', '#', ' ']) {
        Ok(typed.to_string())
    } else {
        Err("an address is needed, for example https://sudoku.example.org/".to_string())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    files::write(path, bytes).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(format!("{} cannot be written: {error}", path.display()))
        .hint("choose a folder that you may write")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_page_has_its_policy_and_its_address() {
        let page = index(b"<head>\n  <title>Ninefold</title>", Some("https://sudoku.example.org/"));
        let page = String::from_utf8(page).expect("text");
        assert!(
            page.contains("default-src 'none'")
                && page.contains("content=\"https://sudoku.example.org/\""),
            "{page}"
        );
    }

    #[test]
    fn an_address_that_would_leave_its_attribute_is_refused() {
        assert!(web_address("https://sudoku.example.org/\"><script>").is_err());
        assert!(web_address("sudoku.example.org").is_err());
    }
}
