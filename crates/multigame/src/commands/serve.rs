//! `multigame serve`: everything in a browser.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Result;
use game::{Game, Position, RuleFault};
use lang::{Diagnostic, Source, Span};
use parallel::Habits;
use rules::CompileError;
use rules::limits::{self, Room};
use search::one_player::Verdict;
use web::host::{Checked, Host, Listing, Solved, Work as WebWork};
use web::{Bounds, Config, ServeError};

use crate::Exit;
use crate::cli::serve::Serve;
use crate::cli::{Evaluation, STRONG};
use crate::generator::{Rules, Work};
use crate::solver::{self, Wishes};
use crate::{collections, interrupt, judgement, library, tuned};

/// The first port that is tried, and how many after it.
const PORT: u16 = 7007;
const PORTS: u16 = 20;

pub(super) fn run(options: &Serve, out: &mut dyn Write) -> Result<Exit> {
    let kept = collections::folder();
    let bounds = Bounds { searches: options.searches as usize, ..Bounds::default() };
    let config = |port| Config {
        address: options.listen,
        port,
        games: options.games.clone().or(kept.clone()),
        rules: options.folder.clone(),
        bounds,
    };
    let ports: Vec<u16> = options.port.map_or((PORT..PORT + PORTS).collect(), |port| vec![port]);
    for (index, &port) in ports.iter().enumerate() {
        let started = |address: &str| {
            // There may be no reader: the server runs all the same.
            let _ = announce(out, address, options.open);
        };
        match web::serve(Library::default(), &config(port), started, stopped()) {
            Ok(()) => break,
            Err(ServeError::Listen(..)) if index + 1 < ports.len() => {}
            Err(error) => return Err(error.into()),
        }
    }
    interrupt::clear();
    Ok(Exit::Success)
}

fn announce(out: &mut dyn Write, address: &str, open: bool) -> Result<()> {
    writeln!(out, "Multigame is at {}{address}{}", STRONG.render(), STRONG.render_reset())?;
    writeln!(out, "Ctrl-C stops it; games are kept.")?;
    out.flush()?;
    if open && !open_browser(address) {
        writeln!(out, "No browser could be opened: open the address yourself.")?;
        out.flush()?;
    }
    Ok(())
}

fn open_browser(address: &str) -> bool {
    let programs: &[(&str, &[&str])] = if cfg!(target_os = "macos") {
        &[("open", &[])]
    } else if cfg!(windows) {
        &[("cmd", &["/c", "start", ""])]
    } else {
        &[("xdg-open", &[]), ("sensible-browser", &[]), ("firefox", &[]), ("chromium", &[])]
    };
    programs.iter().any(|(program, arguments)| {
        let mut command = Command::new(program);
        command.args(*arguments).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    })
}

/// Done when Ctrl-C was pressed.
async fn stopped() {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        while !interrupt::requested() {
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = sender.send(());
    });
    let _ = receiver.await;
}

/// The library and the generators, as the server sees them.
#[derive(Default)]
struct Library {
    /// Read once: it takes some fifty milliseconds.
    entries: OnceLock<Vec<Listing>>,
}

impl Host for Library {
    fn library(&self) -> Vec<Listing> {
        self.entries.get_or_init(entries).clone()
    }

    fn source(&self, name: &str) -> Option<String> {
        library::source(name).map(|source| source.text)
    }

    fn check(&self, text: &str) -> Result<Checked, Vec<Diagnostic>> {
        let source = Source::new("rules", text);
        match rules::compile(&source, None) {
            Ok((program, warnings)) => Ok(Checked { info: program.info, setups: program.setups, warnings }),
            Err(CompileError::Rules(diagnostics)) => Err(diagnostics),
            Err(CompileError::Position(error)) => {
                let start = text.find("setup").unwrap_or(0);
                let span = Span::new(start, (start + "setup".len()).min(text.len()));
                Err(vec![Diagnostic::error("E033", span, error.message)])
            }
        }
    }

    fn with_game<W: WebWork>(&self, text: &str, work: W) -> Result<W::Result, String> {
        let source = Source::new("rules", text);
        let (mut program, _) = match rules::compile(&source, None) {
            Ok(compiled) => compiled,
            Err(CompileError::Rules(found)) => {
                return Err(found
                    .iter()
                    .map(|one| lang::render(&source, one))
                    .collect::<Vec<_>>()
                    .join("\n"));
            }
            Err(CompileError::Position(error)) => return Err(format!("the setup: {}", error.message)),
        };
        if limits::written_out(&program) > limits::WRITTEN_OUT_MAX {
            let most = limits::WRITTEN_OUT_MAX;
            return Err(format!(
                "the rules call each other too often: written out, they have more than {most} statements"
            ));
        }
        // Rules come from a page, and many may run at once.
        program.room = Room::SMALL;
        let start = program.info.start.clone().unwrap_or_else(|| Position::empty(&program.info));
        let rules = Rules { text: text.to_owned(), program: Some(program), start };
        judgement::with_judged(rules, Evaluation::Automatic, Visit(work))
            // What the command line could do about a fault is of no use in a page.
            .map_err(|error| {
                error.downcast_ref::<RuleFault>().map_or(format!("{error:#}"), RuleFault::to_string)
            })
    }

    fn solve<G: Game>(&self, game: &G, position: &G::Position, time: Duration) -> Result<Solved, RuleFault> {
        let wishes = Wishes::within(Some(time));
        let found = match solver::solve(game, position, &wishes, &mut |_, _| {}) {
            Ok(answer) => answer.found,
            // Only databases have other troubles, and none are asked for.
            Err(error) => return Err(error.downcast().unwrap_or_else(|_| RuleFault::stopped())),
        };
        let nodes = found.nodes;
        Ok(match found.verdict {
            Verdict::Solved(mut lines) => Solved { moves: lines.pop(), proven: true, nodes },
            Verdict::Unsolvable => Solved { moves: None, proven: true, nodes },
            Verdict::Unknown => Solved { moves: None, proven: false, nodes },
        })
    }

    fn habits(&self) -> Habits {
        // A file that cannot be read is a matter for the command line: the page searches as usual.
        tuned::habits().unwrap_or_default()
    }

    fn documents(&self) -> Vec<(&'static str, &'static str)> {
        library::documents()
    }

    fn picture(&self, name: &str) -> Option<&'static [u8]> {
        library::picture(name)
    }
}

struct Visit<W>(W);

impl<W: WebWork> Work for Visit<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, _start: Position) -> Result<W::Result> {
        Ok(self.0.run(game))
    }
}

/// All games, family by family.
fn entries() -> Vec<Listing> {
    let mut entries = library::entries();
    let family = |name: &str| library::FAMILIES.iter().position(|(own, ..)| *own == name);
    entries.sort_by_key(|entry| (family(&entry.family), entry.title.clone()));
    let heading =
        |name: &str| family(name).map_or(String::new(), |index| library::FAMILIES[index].1.to_owned());
    entries
        .into_iter()
        .map(|entry| Listing {
            family: heading(&entry.family),
            name: entry.name,
            title: entry.title,
            summary: entry.rules,
            origin: entry.origin,
        })
        .collect()
}
