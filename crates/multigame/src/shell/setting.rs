//! Commands that say or change how the computer plays. Without an argument they say it.

use std::fmt::Display;
use std::io::Write;
use std::str::FromStr;

use anyhow::{Result, anyhow, bail};
use game::{Colour, Game};
use lang::diagnostic::did_you_mean;
use search::Heuristics;

use super::{Computer, Shell};
use crate::memory;

/// How long the computer thinks when nothing was said.
pub(super) const SECONDS_USUAL: f64 = 1.0;
const SECONDS_MAX: f64 = 86_400.0;
const DEPTH_MAX: i32 = 200;

impl<G: Game> Shell<'_, G> {
    pub(super) fn set_depth(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        set_limit(&mut self.depth, given, 1, DEPTH_MAX)?;
        say(out, "depth", self.depth)
    }

    pub(super) fn set_nodes(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        set_limit(&mut self.nodes, given, 1, u64::MAX)?;
        say(out, "nodes", self.nodes)
    }

    pub(super) fn set_time(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        set_limit(&mut self.seconds, given, 0.0, SECONDS_MAX)?;
        let seconds = self.seconds.or_else(|| (!self.is_limited()).then_some(SECONDS_USUAL));
        say(out, "time", seconds.map(|seconds| format!("{seconds} s")))
    }

    pub(super) fn is_limited(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.seconds.is_some()
    }

    pub(super) fn set_increment(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        if !given.is_empty() {
            options.settings.increment = number(given, 1, DEPTH_MAX)?;
        }
        say(out, "increment", Some(options.settings.increment))?;
        self.session.set_options(options);
        Ok(())
    }

    pub(super) fn set_engine(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        if !given.is_empty() {
            let chosen =
                crate::cli::engine(&given.to_lowercase()).map_err(|hint| anyhow!("no engine: {hint}"))?;
            (options.settings.engine, options.method) = (chosen.engine, chosen.method);
        }
        say(out, "engine", Some(options.settings.engine.name()))?;
        self.session.set_options(options);
        Ok(())
    }

    pub(super) fn set_hash(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        if !given.is_empty() {
            options.hash_mib = memory::table_mib(given).map_err(|message| anyhow!(message))? as usize;
        }
        say(out, "hash", Some(format!("{} MiB", options.hash_mib)))?;
        self.session.set_options(options);
        Ok(())
    }

    pub(super) fn set_threads(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        if !given.is_empty() {
            options.threads = number(given, 1, parallel::THREADS_MAX)?;
        }
        say(out, "threads", Some(options.threads))?;
        self.session.set_options(options);
        Ok(())
    }

    pub(super) fn set_level(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        if !given.is_empty() {
            options.level = crate::cli::level(given).map_err(|message| anyhow!(message))?;
        }
        say(out, "level", Some(options.level))?;
        self.session.set_options(options);
        Ok(())
    }

    pub(super) fn set_seed(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if !given.is_empty() {
            self.seed = number(given, 0, u64::MAX)?;
            self.random = self.seed;
            let mut options = self.session.options().clone();
            options.settings.seed = self.seed;
            self.session.set_options(options);
        }
        say(out, "seed", Some(self.seed))
    }

    pub(super) fn set_verbose(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if !given.is_empty() {
            self.verbose = switch(given)?;
        }
        say(out, "verbose", Some(if self.verbose { "on" } else { "off" }))
    }

    pub(super) fn echo(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        match given {
            "on" => self.echo = true,
            "off" => self.echo = false,
            text => writeln!(out, "{text}")?,
        }
        Ok(())
    }

    pub(super) fn set_computer(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        if self.session.info().players != 2 && !matches!(given, "" | "off") {
            bail!("`{}` is a game for one player: `move` and `selfplay` solve it", self.session.info().name);
        }
        self.computer = match given.to_lowercase().as_str() {
            "" => self.computer,
            "white" => Computer::One(Colour::White),
            "black" => Computer::One(Colour::Black),
            "both" => Computer::Both,
            "off" | "none" => Computer::Off,
            _ => bail!("the computer can play white, black, both or off, not `{given}`"),
        };
        say(out, "the computer plays", Some(self.computer_in_words()))
    }

    fn computer_in_words(&self) -> String {
        match self.computer {
            Computer::Off => "neither side".to_owned(),
            Computer::Both => "both sides".to_owned(),
            Computer::One(colour) => colour.to_string(),
        }
    }

    pub(super) fn configuration(&mut self, given: &str, out: &mut dyn Write) -> Result<()> {
        let mut options = self.session.options().clone();
        let heuristics = &mut options.settings.heuristics;
        match given.split_whitespace().collect::<Vec<_>>()[..] {
            [] => return self.say_configuration(out),
            ["exact"] => *heuristics = Heuristics::exact(),
            ["default"] => *heuristics = Heuristics::default(),
            [name] | [name, _] if !heuristics.set(&name.replace('-', "_"), true) => {
                let names: Vec<String> =
                    Heuristics::NAMES.iter().map(|name| name.replace('_', "-")).collect();
                let hint = did_you_mean(name, names.iter().map(String::as_str));
                let hint = hint.unwrap_or_else(|| format!("there are {}", names.join(", ")));
                bail!("there is no heuristic `{name}`: {hint}");
            }
            [name, on] => {
                heuristics.set(&name.replace('-', "_"), switch(on)?);
            }
            _ => bail!("say a heuristic and on or off, such as: configuration null-move on"),
        }
        self.session.set_options(options);
        Ok(())
    }

    fn say_configuration(&self, out: &mut dyn Write) -> Result<()> {
        let options = self.session.options();
        let limit = |limit: Option<String>| limit.unwrap_or_else(|| "off".to_owned());
        let seconds = self.seconds.or_else(|| (!self.is_limited()).then_some(SECONDS_USUAL));
        let book = match (&self.book, self.book_on) {
            (None, _) => "none".to_owned(),
            (Some(book), on) => {
                format!("{}, {} positions", if on { "on" } else { "off" }, book.positions())
            }
        };
        let rows = [
            ("game", self.session.info().name.clone()),
            ("engine", options.settings.engine.name().to_owned()),
            ("depth", limit(self.depth.map(|depth| depth.to_string()))),
            ("time", limit(seconds.map(|seconds| format!("{seconds} s")))),
            ("nodes", limit(self.nodes.map(|nodes| nodes.to_string()))),
            ("increment", options.settings.increment.to_string()),
            ("hash", format!("{} MiB", options.hash_mib)),
            ("threads", options.threads.to_string()),
            ("level", options.level.to_string()),
            ("seed", self.seed.to_string()),
            ("opening", book),
            ("computer plays", self.computer_in_words()),
            ("verbose", if self.verbose { "on" } else { "off" }.to_owned()),
        ];
        for (name, value) in rows {
            writeln!(out, "{name:<16} {value}")?;
        }
        let with = |on: bool| {
            let names =
                Heuristics::NAMES.iter().filter(|name| options.settings.heuristics.get(name) == Some(on));
            names.map(|name| name.replace('_', "-")).collect::<Vec<_>>().join(" ")
        };
        writeln!(out, "{:<16} {}\n{:<16} {}", "heuristics on", with(true), "heuristics off", with(false))?;
        Ok(())
    }
}

fn say(out: &mut dyn Write, name: &str, value: Option<impl Display>) -> Result<()> {
    match value {
        Some(value) => writeln!(out, "{name}: {value}")?,
        None => writeln!(out, "{name}: off")?,
    }
    Ok(())
}

/// A number within bounds.
pub(super) fn number<T: FromStr + PartialOrd + Display + Copy>(given: &str, low: T, high: T) -> Result<T> {
    match given.parse::<T>() {
        Ok(number) if low <= number && number <= high => Ok(number),
        _ => {
            let given: String = given.chars().take(40).collect();
            bail!("give a number from {low} to {high}, not `{given}`")
        }
    }
}

/// Nothing leaves a limit as it is, `off` removes it.
fn set_limit<T: FromStr + PartialOrd + Display + Copy>(
    limit: &mut Option<T>,
    given: &str,
    low: T,
    high: T,
) -> Result<()> {
    match given {
        "" => {}
        "off" | "none" => *limit = None,
        given => *limit = Some(number(given, low, high)?),
    }
    Ok(())
}

fn switch(given: &str) -> Result<bool> {
    match given {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => bail!("say on or off, not `{}`", given.chars().take(40).collect::<String>()),
    }
}
