//! `ninefold site`: writes the web page as static files.

use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use ninefold_web::SiteFile;
use std::path::{Path, PathBuf};

/// Write the web page as static files for any web host
///
/// The files contain the daily puzzles of a year and all lessons. Hints, explanations, solutions,
/// ratings and new puzzles are computed in the browser with WebAssembly. The animations of networks
/// need `ninefold serve`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory to write to; it is created if necessary, and existing files are replaced
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Directory of another WebAssembly build, written by crates/wasm/build [default: the engine in
    /// this program]
    #[arg(long, value_name = "DIR")]
    wasm: Option<PathBuf>,

    /// Public address of the page, for shared links
    #[arg(long, value_name = "URL", value_parser = parse_web_address)]
    base: Option<String>,
}

/// The files of the WebAssembly build, and whether they are required.
const WASM_FILES: [(&str, bool); 5] = [
    ("index.js", true),
    ("engine-worker.js", true),
    ("engine.wasm", true),
    ("digits.bin", true),
    ("engine-plain.wasm", false),
];

/// The content security policy. It is part of the page, because there is no server that sends
/// headers.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
                      base-uri 'none'; form-action 'none'";

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let directory = &args.directory;
    let mut files = ninefold_web::site_files();
    files.extend(match &args.wasm {
        Some(wasm) => read_wasm(wasm)?,
        None => ninefold_web::engine_files().ok_or_else(missing_engine)?,
    });
    let count = files.len();
    for (name, bytes) in files {
        let path = directory.join(&name);
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent).map_err(|error| write_error(parent, &error))?;
        match name == "index.html" {
            true => write(&path, &index(&bytes, args.base.as_deref()))?,
            false => write(&path, &bytes)?,
        }
    }
    outln!("{count} files in {}", directory.display());
    Ok(Verdict::Yes)
}

/// Without the engine, the page could not give a single hint.
fn missing_engine() -> CliError {
    CliError::new("this program contains no WebAssembly engine, so the page would give no hints")
        .hint("run crates/wasm/build, then build ninefold again or use --wasm crates/wasm/npm")
}

fn read_wasm(from: &Path) -> Result<Vec<SiteFile>, CliError> {
    let mut files = Vec::new();
    for (name, is_required) in WASM_FILES {
        match std::fs::read(from.join(name)) {
            Ok(bytes) => files.push((name.to_string(), bytes.into())),
            Err(error) if is_required => {
                let file = from.join(name);
                return Err(CliError::cannot_read(file.display(), error)
                    .hint("crates/wasm/build writes these files to crates/wasm/npm"));
            }
            Err(_) => {}
        }
    }
    Ok(files)
}

/// Adds the content security policy and the public address to index.html.
fn index(bytes: &[u8], address: Option<&str>) -> Vec<u8> {
    let page = String::from_utf8_lossy(bytes);
    let policy = format!("  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    let base = address.map_or(String::new(), |base| {
        format!("  <meta name=\"ninefold-base\" content=\"{base}\">\n")
    });
    let page = match address {
        // Other sites need the complete address of the picture.
        Some(address) => page.replacen(
            "content=\"card.png\"",
            &format!("content=\"{}/card.png\"", address.trim_end_matches('/')),
            1,
        ),
        None => page.into_owned(),
    };
    page.replacen("  <title>", &format!("{policy}{base}  <title>"), 1).into_bytes()
}

/// Accepts addresses that are safe in an HTML attribute.
fn parse_web_address(typed: &str) -> Result<String, String> {
    let is_web = typed.starts_with("https://") || typed.starts_with("http://");
    if is_web && !typed.contains(['"', '<', '>', '#', ' ']) {
        Ok(typed.to_string())
    } else {
        Err("expected an address, for example https://sudoku.example.org/".to_string())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    ninefold_files::write(path, bytes).map_err(|error| write_error(path, &error))
}

fn write_error(path: &Path, error: &std::io::Error) -> CliError {
    CliError::cannot_write(path.display(), error).hint("use a directory with write permission")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_policy_and_address_to_the_index() {
        let page = index(b"<head>\n  <title>Ninefold</title>", Some("https://sudoku.example.org/"));
        let page = String::from_utf8(page).expect("text");
        assert!(
            page.contains("default-src 'none'")
                && page.contains("content=\"https://sudoku.example.org/\""),
            "{page}"
        );
    }

    #[test]
    fn rejects_unsafe_addresses() {
        assert!(parse_web_address("https://sudoku.example.org/\"><script>").is_err());
        assert!(parse_web_address("sudoku.example.org").is_err());
    }
}
