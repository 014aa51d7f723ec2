//! `ninefold serve`: serves the web page.

use crate::console::outln;
use crate::error::CliError;
use crate::verdict::Verdict;
use ninefold_web::{Config, Limits, Networks};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Serve the web page
///
/// The page and its JSON API are available only on this machine, unless --host is used. Quit on the
/// page or Ctrl+C stops the server. Requests from other web sites are rejected.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Limits:
  The server accepts 512 connections, and 128 from one address. If all are in use, it closes a
  connection that has been idle for a second or does not read its response. The request head must
  arrive within 15 seconds, and the body, at most 128 KiB, within 10 seconds. The response must be
  read within 15 seconds. Grids can be read up to 25x25 and generated up to 16x16. Hints,
  explanations, ratings and new puzzles have a time limit of 30 seconds, searches and animations one
  of 120 seconds. Short tasks do not wait for long tasks. Clients take turns, so one with many
  requests does not delay others. Disconnecting cancels the request.

Remote access:
  With --host 0.0.0.0 --token, everyone who knows the token can use the page; without --token,
  everyone who can reach this machine. The Host header of a request must be an IP address, localhost
  or a name given with --allow-host. After ten wrong tokens, a client may try one every 6 seconds.
  There is no encryption: use a reverse proxy with TLS, pass its name with --allow-host and its
  address with --trusted-proxy. Without --trusted-proxy, all its clients share the limits of one
  address.")]
pub struct Args {
    /// Port to listen on; 0 selects a free one
    #[arg(long, default_value_t = 8199)]
    port: u16,

    /// Address to listen on; with 0.0.0.0, everyone who can reach this machine can use the page
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Accept requests for this host name; may be repeated
    #[arg(long = "allow-host", value_name = "NAME", value_parser = parse_host_name)]
    allow_hosts: Vec<String>,

    /// Trust the client addresses that the reverse proxy with this address sends in the header
    /// X-Forwarded-For or Forwarded; may be repeated
    #[arg(long = "trusted-proxy", value_name = "ADDRESS")]
    trusted_proxies: Vec<IpAddr>,

    /// Require a token from every client: this one, or a random one that is printed with the
    /// address
    #[arg(long, value_name = "TOKEN", num_args = 0..=1, default_missing_value = "", value_parser = parse_token)]
    token: Option<String>,

    /// Load the weights of this network from a file written by `ninefold train`; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_weights)]
    weights: Vec<(String, PathBuf)>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let address = SocketAddr::new(args.host, args.port);
    let mut networks = Networks::shipped();
    for (name, file) in &args.weights {
        networks = networks.with_weights(name, file.clone()).map_err(|error| {
            CliError::new(error.to_string())
                .hint("`ninefold models` lists the networks, and `ninefold train` trains weights")
        })?;
    }
    let token = match args.token.as_deref() {
        Some("") => Some(ninefold_web::random_token().map_err(|error| {
            CliError::new(format!("cannot create a random token: {error}"))
                .hint("choose a token with --token TOKEN")
        })?),
        token => token.map(str::to_string),
    };
    let ready = |address: SocketAddr| {
        match &token {
            Some(token) => outln!("http://{address}/?token={token}"),
            None => outln!("http://{address}"),
        }
        warn_about_remote_access(address, token.is_some());
    };
    let allowed_hosts = args.allow_hosts.clone();
    let config = Config {
        limits: Limits::default(),
        networks,
        allowed_hosts,
        trusted_proxies: args.trusted_proxies.clone(),
        token: token.clone(),
    };
    match ninefold_web::run(address, config, ready) {
        Ok(()) => Ok(Verdict::Yes),
        Err(error) => {
            let hint = "use another --port, or --port 0 for a free one";
            Err(CliError::new(format!("cannot listen on {address}: {error}")).hint(hint))
        }
    }
}

/// Prints a warning if other machines can reach the page.
fn warn_about_remote_access(address: SocketAddr, has_token: bool) {
    if address.ip().is_loopback() {
        return;
    }
    match has_token {
        true => eprintln!(
            "warning: everyone who can reach this machine and knows the token can use this page"
        ),
        false => eprintln!(
            "warning: everyone who can reach this machine can use this page\n\n\
             hint: use --token to require a token, or --host 127.0.0.1 to allow only this machine"
        ),
    }
}

fn parse_weights(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text
        .split_once('=')
        .ok_or("expected a name and a file, for example cnn=runs/cnn/weights.safetensors")?;
    Ok((name.to_string(), file.into()))
}

fn parse_host_name(text: &str) -> Result<String, String> {
    let fits =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_');
    match !text.is_empty() && text.chars().all(fits) {
        true => Ok(text.to_string()),
        false => {
            Err("expected a host name without scheme and port, for example sudoku.example.org"
                .to_string())
        }
    }
}

/// Tokens are used in addresses and cookies, so only some characters are allowed.
fn parse_token(text: &str) -> Result<String, String> {
    let fits =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
    match text.is_empty() || (text.len() >= 8 && text.chars().all(fits)) {
        true => Ok(text.to_string()),
        false => Err("expected at least eight letters, digits, - or _".to_string()),
    }
}
