//! `ninefold serve`: the page, on this machine.

use crate::trouble::Trouble;
use crate::verdict::Verdict;
use clap::Args;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

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
}

/// Serves until the page says Quit.
pub fn run(options: &Options) -> Result<Verdict, Trouble> {
    let address = SocketAddr::new(options.host, options.port);
    let ready = |address: SocketAddr| println!("http://{address}");
    match ninefold_web::run(address, ready) {
        Ok(()) => Ok(Verdict::Yes),
        Err(error) => {
            let hint = "choose another port with --port, or --port 0 for any free one";
            Err(Trouble::new(format!("{address} cannot be served: {error}")).hint(hint))
        }
    }
}
