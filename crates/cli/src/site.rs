//! `ninefold site`: writes the web page as static files.

use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use std::path::{Path, PathBuf};

/// Write the web page as static files for any web host
///
/// Hints, explanations, solutions, ratings, new puzzles and lessons are computed in the browser
/// with WebAssembly. The animations of networks need `ninefold serve`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory to write to; it is created if necessary, and existing files are replaced
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Directory of the WebAssembly build, written by crates/wasm/build; without it, the page has
    /// no hints, explanations and new puzzles
    #[arg(long, value_name = "DIR")]
    wasm: Option<PathBuf>,

    /// Public address of the page, for shared links
    #[arg(long, value_name = "URL", value_parser = parse_web_address)]
    base: Option<String>,
}

/// The files of the WebAssembly build, and whether they are required.
const WASM_FILES: [(&str, bool); 4] = [
    ("index.js", true),
    ("engine-worker.js", true),
    ("engine.wasm", true),
    ("engine-plain.wasm", false),
];

/// The content security policy. It is part of the page, because there is no server that sends
/// headers.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; font-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
                      base-uri 'none'; form-action 'none'";

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let directory = &args.directory;
    std::fs::create_dir_all(directory).map_err(|error| write_error(directory, &error))?;
    let mut count = 0;
    for (name, bytes) in ninefold_web::page_files() {
        let bytes =
            if name == "index.html" { index(bytes, args.base.as_deref()) } else { bytes.to_vec() };
        write(&directory.join(name), &bytes)?;
        count += 1;
    }
    match &args.wasm {
        Some(wasm) => count += copy_wasm(wasm, directory)?,
        None => eprintln!(
            "warning: the page contains no WebAssembly\n\nhint: use --wasm DIR with the output of crates/wasm/build"
        ),
    }
    outln!("{count} files in {}", directory.display());
    Ok(Verdict::Yes)
}

fn copy_wasm(from: &Path, to: &Path) -> Result<usize, CliError> {
    let mut count = 0;
    for (name, is_required) in WASM_FILES {
        match std::fs::read(from.join(name)) {
            Ok(bytes) => {
                write(&to.join(name), &bytes)?;
                count += 1;
            }
            Err(error) if is_required => {
                let file = from.join(name);
                return Err(CliError::cannot_read(file.display(), error)
                    .hint("crates/wasm/build writes these files to crates/wasm/npm"));
            }
            Err(_) => {}
        }
    }
    Ok(count)
}

/// Adds the content security policy and the public address to index.html.
fn index(bytes: &[u8], base: Option<&str>) -> Vec<u8> {
    let page = String::from_utf8_lossy(bytes);
    let policy = format!("  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    let base = base.map_or(String::new(), |base| {
        format!("  <meta name=\"ninefold-base\" content=\"{base}\">\n")
    });
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
