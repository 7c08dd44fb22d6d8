//! `multigame completions` and `multigame man`: what an installation needs beside the program.

use std::io::Write;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::Exit;
use crate::cli::Cli;
use crate::cli::author::{Completions, Man};

/// Writes what a shell must know to complete command lines.
pub(super) fn completions(options: &Completions, out: &mut dyn Write) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "multigame", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Success)
}

/// Writes a manual page for the program and one for each command.
pub(super) fn man(options: &Man, out: &mut dyn Write) -> Result<Exit> {
    let shown = options.folder.display();
    std::fs::create_dir_all(&options.folder).with_context(|| format!("cannot make the folder `{shown}`"))?;
    clap_mangen::generate_to(Cli::command(), &options.folder)
        .with_context(|| format!("cannot write to `{shown}`"))?;
    writeln!(out, "the pages are in `{shown}`: man -l {shown}/multigame.1")?;
    Ok(Exit::Success)
}
