//! `serve`

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::Args;

/// `serve`
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// The port; without one, 7007 or the next that is free
    #[arg(long, value_name = "P")]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Listen here, such as 0.0.0.0 for other machines too; they need the token that is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// The folder of your rules: files are read and written there and nowhere else
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Where games are kept; without it, in the user's data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) games: Option<PathBuf>,
    /// Searches that run at once; others wait
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) searches: u32,
}

impl Serve {
    /// As if nothing but `--open` had been asked for.
    pub(crate) fn with_a_browser() -> Serve {
        let listen = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Serve { port: None, open: true, listen, folder: PathBuf::from("."), games: None, searches: 8 }
    }
}
