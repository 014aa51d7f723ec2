//! The page of Ninefold: this is where we speak HTTP.
//!
//! [`serve`] opens a small server with everything inside: the page (`ui/`, plain ES modules that are joined into few
//! files) and the JSON API behind it (`api/`, described by `openapi.json`). Rules and searches live in the library; nothing here knows Sudoku.
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
mod bundle;
mod connections;
mod error;
mod guard;
mod json_body;
mod limits;
mod networks;
mod patient_stream;
mod queues;
mod server;

pub use assets::page_files;
pub use limits::Limits;
pub use networks::{BadWeights, Networks};
pub use server::{Config, router, run, serve};

/// A token that nobody guesses: 128 random bits of the system, in hexadecimal.
pub fn random_token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
