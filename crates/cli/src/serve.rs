//! `ninefold serve`: the page, on this machine.

use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::Args;
use ninefold_web::Networks;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Open the page: play, get stuck, understand
///
/// The page and its JSON API are served to this machine alone, unless --host says otherwise. The page stops the server
/// with Quit, the keyboard with Ctrl+C.
#[derive(Args, Debug)]
pub struct Options {
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 8199)]
    port: u16,

    /// The address to listen on; 0.0.0.0 opens the page to everyone who can reach this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Let this network use the weights of a file of `ninefold train`; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = weights)]
    weights: Vec<(String, PathBuf)>,
}

/// Serves until the page says Quit.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let address = SocketAddr::new(options.host, options.port);
    let ready = |address: SocketAddr| tell!("http://{address}");
    let mut networks = Networks::shipped();
    for (name, file) in &options.weights {
        networks = networks.with(name, file.clone()).map_err(|error| {
            CliError::new(error.to_string())
                .hint("`ninefold models` lists the networks, `ninefold train` makes weights")
        })?;
    }
    match ninefold_web::run(address, networks, ready) {
        Ok(()) => Ok(Verdict::Yes),
        Err(error) => {
            let hint = "choose another port with --port, or --port 0 for any free one";
            Err(CliError::new(format!("{address} cannot be served: {error}")).hint(hint))
        }
    }
}

fn weights(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) =
        text.split_once('=').ok_or("a name and a file are needed, for example cnn=runs/cnn/weights.safetensors")?;
    Ok((name.to_string(), file.into()))
}
