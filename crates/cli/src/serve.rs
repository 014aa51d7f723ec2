//! `ninefold serve`: the page, on this machine.

use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::Args;
use ninefold_web::{Config, Limits, Networks};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Open the page: play, get stuck, understand
///
/// The page and its JSON API are served to this machine alone, unless --host says otherwise. The page stops the server
/// with Quit, the keyboard with Ctrl+C. What another site's page asks for is refused.
#[derive(Args, Debug)]
#[command(after_help = "\
Limits:
  512 connections, 128 from one address; where they are all in use, one that has been idle for a second
  or does not take its answer is closed. A request has 15 seconds for its head, 10 for its body of at
  most 128 KiB, and its answer must be taken within 15. Grids are read up to 25x25 and made up to 16x16.
  A hint, an explanation, a rating and a new puzzle take 30 seconds at most, a search and a show 120.
  Short work never waits for long work, and the work of a client that leaves ends at once.

Beyond this machine:
  --host 0.0.0.0 --token opens the page to everyone who knows the token; without --token, to everyone
  who can reach this machine. Requests must name an address or a name given by --allow-host. There is
  no encryption: put a server with TLS in front, and give its name with --allow-host.")]
pub struct Options {
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 8199)]
    port: u16,

    /// The address to listen on; 0.0.0.0 opens the page to everyone who can reach this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Answer requests for this name too; may be repeated
    #[arg(long = "allow-host", value_name = "NAME", value_parser = host_name)]
    allow_hosts: Vec<String>,

    /// Ask every client for a token: this one, or a new one that is printed with the address
    #[arg(long, value_name = "TOKEN", num_args = 0..=1, default_missing_value = "", value_parser = token)]
    token: Option<String>,

    /// Let this network use the weights of a file of `ninefold train`; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = weights)]
    weights: Vec<(String, PathBuf)>,
}

/// Serves until the page says Quit.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let address = SocketAddr::new(options.host, options.port);
    let mut networks = Networks::shipped();
    for (name, file) in &options.weights {
        networks = networks.with(name, file.clone()).map_err(|error| {
            CliError::new(error.to_string())
                .hint("`ninefold models` lists the networks, `ninefold train` makes weights")
        })?;
    }
    let token = match options.token.as_deref() {
        Some("") => Some(ninefold_web::random_token().map_err(|error| {
            CliError::new(format!("the system gives no random numbers: {error}"))
                .hint("choose one: --token TOKEN")
        })?),
        token => token.map(str::to_string),
    };
    let ready = |address: SocketAddr| {
        match &token {
            Some(token) => tell!("http://{address}/?token={token}"),
            None => tell!("http://{address}"),
        }
        warn_of_strangers(address, token.is_some());
    };
    let allowed_hosts = options.allow_hosts.clone();
    let config =
        Config { limits: Limits::default(), networks, allowed_hosts, token: token.clone() };
    match ninefold_web::run(address, config, ready) {
        Ok(()) => Ok(Verdict::Yes),
        Err(error) => {
            let hint = "choose another port with --port, or --port 0 for any free one";
            Err(CliError::new(format!("{address} cannot be served: {error}")).hint(hint))
        }
    }
}

/// Says plainly who can open the page.
fn warn_of_strangers(address: SocketAddr, has_token: bool) {
    if address.ip().is_loopback() {
        return;
    }
    match has_token {
        true => eprintln!(
            "warning: everyone who can reach this machine and knows the token can open this page"
        ),
        false => eprintln!(
            "warning: everyone who can reach this machine can open this page and make it work for them\n\n\
             hint: --token asks for a token, --host 127.0.0.1 serves this machine alone"
        ),
    }
}

fn weights(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text
        .split_once('=')
        .ok_or("a name and a file are needed, for example cnn=runs/cnn/weights.safetensors")?;
    Ok((name.to_string(), file.into()))
}

fn host_name(text: &str) -> Result<String, String> {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | '_');
    match !text.is_empty() && text.chars().all(fits) {
        true => Ok(text.to_string()),
        false => {
            Err("a name without scheme and port is needed, for example sudoku.example.org"
                .to_string())
        }
    }
}

/// The token stands in addresses and cookies.
fn token(text: &str) -> Result<String, String> {
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_');
    match text.is_empty() || (text.len() >= 8 && text.chars().all(fits)) {
        true => Ok(text.to_string()),
        false => Err("eight or more letters, digits, - and _ are needed".to_string()),
    }
}
