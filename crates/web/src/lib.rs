//! The web server of Ninefold.
//!
//! [`serve`] runs an HTTP server that contains the page (`ui/`, bundled into `dist/`) and its JSON
//! API (`api/`, documented in `openapi.json`). Solving and explaining is done by the library.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use ninefold_web::{Config, Networks};
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("http://{}", listener.local_addr()?);
//! ninefold_web::serve(listener, Config { networks: Networks::shipped(), ..Config::default() }).await
//! # }
//! ```
#![forbid(unsafe_code)]

mod access;
mod api;
mod assets;
mod body;
mod client;
mod client_stream;
mod connections;
mod error;
mod guard;
mod guesses;
mod limits;
mod networks;
mod queues;
mod server;
mod site;
mod timeout_stream;

pub use limits::Limits;
pub use networks::{Networks, WeightsError};
pub use server::{Config, router, run, serve};
pub use site::{SiteFile, engine_files, site_files};

/// A random token of 128 bits, in hexadecimal.
pub fn random_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
