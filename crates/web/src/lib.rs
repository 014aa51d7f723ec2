//! The page of Ninefold: this is where we speak HTTP.
//!
//! [`serve`] opens a small server with everything inside: the page as plain ES modules (`ui/`) and the JSON API behind it
//! (`api/`, described by `openapi.json`). Rules and searches live in the library; nothing here knows Sudoku.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("http://{}", listener.local_addr()?);
//! ninefold_web::serve(listener, ninefold_web::Limits::default(), ninefold_web::Networks::shipped()).await
//! # }
//! ```
#![forbid(unsafe_code)]

mod api;
mod assets;
mod error;
mod guard;
mod json_body;
mod networks;
mod queues;
mod server;

pub use networks::{BadWeights, Networks};
pub use server::{Limits, router, run, serve};
