//! `multigame bench search`: nodes a second of the engine with its usual settings, from the start of each game;
//! beside it fairy-stockfish, a program for chess variants, where it is installed and knows the game.
//!
//! A node of one program is not a node of another: they prune, extend and count differently, and evaluate more or
//! less. The column says how fast trees are walked, not who plays better.

use std::path::Path;

use anyhow::{Result, bail};
use game::{Game, Position};
use protocol::{EngineOptions, Session};

use super::timing::Stopwatch;
use super::{Row, Sink, chosen};
use crate::Exit;
use crate::cli::{Bench, Evaluation, GameChoice, Generator};
use crate::commands::uci::variant_name;
use crate::contest::uci_engine::UciEngine;
use crate::generator::Work;
use crate::interrupt;
use crate::judgement::with_player;

/// A game and how many nodes make a run.
struct Case {
    game: &'static str,
    nodes: u64,
}

const fn case(game: &'static str, nodes: u64) -> Case {
    Case { game, nodes }
}

const CASES: &[Case] = &[
    case("chess", 200_000),
    case("checkers", 500_000),
    case("draughts", 200_000),
    case("othello", 200_000),
    case("breakthrough", 300_000),
    case("connect4", 500_000),
    case("amazons", 100_000),
    case("gomoku", 100_000),
    case("hex", 50_000),
    case("loa", 50_000),
    case("awari", 200_000),
    case("kingofthehill", 200_000),
    case("antichess", 200_000),
    case("racingkings", 200_000),
    case("horde", 200_000),
    case("makruk", 200_000),
    case("minishogi", 200_000),
    case("xiangqi", 200_000),
    case("clobber", 200_000),
];

/// Programs to compare with, by name or where Debian keeps games.
const RIVALS: [&str; 2] = ["fairy-stockfish", "/usr/games/fairy-stockfish"];
/// The memory that both programs get for their tables.
const HASH_MIB: usize = 64;

pub(super) fn run(options: &Bench, sink: &mut Sink<'_>) -> Result<Exit> {
    let cases = chosen(CASES, |case| case.game, &options.games)?;
    let rival = RIVALS.into_iter().find(|program| match program.contains('/') {
        true => Path::new(program).exists(),
        false => std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file())),
    });
    sink.heading(
        "Thousand nodes a second from the start of the game, one thread, 64 MiB, processor time, best of the rounds.",
    )?;
    match rival {
        Some(program) => sink.heading(&format!("The peer is {program}.\n"))?,
        None => sink.heading("fairy-stockfish is not installed: there is no peer to compare with.\n")?,
    }
    sink.heading(&format!("{:<14} {:>9} {:>9} {:>12}", "game", "ours", "peer", "peer / ours"))?;
    for case in cases {
        if interrupt::requested() {
            return Ok(Exit::Interrupted);
        }
        let choice = GameChoice { game: case.game.to_owned(), position: None, generator: Generator::Jit };
        let peer = rival.and_then(|program| Peer::start(program, case));
        let measure = Measure { case, peer, rounds: options.rounds, sink: &mut *sink };
        // Networks come and go, and figures stay comparable.
        with_player(&choice, Evaluation::Plain, measure)?;
    }
    Ok(Exit::Success)
}

struct Measure<'run, 'out> {
    case: &'run Case,
    peer: Option<Peer<'run>>,
    rounds: u32,
    sink: &'run mut Sink<'out>,
}

impl Work for Measure<'_, '_> {
    type Result = ();

    fn run<G: Game>(self, game: &G, start: Position) -> Result<()> {
        let Measure { case, mut peer, rounds, sink } = self;
        let options = EngineOptions { hash_mib: HASH_MIB, ..EngineOptions::default() };
        let mut session = Session::new(game, start, options)?;
        let (mut ours, mut theirs, mut counted) = (0.0_f64, None, None);
        for _ in 0..rounds {
            session.clear_memory();
            let limits = search::Limits { nodes: Some(case.nodes), ..search::Limits::default() };
            let task = session.task(limits, Vec::new())?;
            let watch = Stopwatch::start();
            let report = task.run(&mut |_, _| {})?.report;
            ours = ours.max(report.nodes as f64 / watch.seconds() / 1e3);
            // The same search every time, or speed means nothing.
            if *counted.get_or_insert(report.nodes) != report.nodes {
                bail!("{}: two searches with the same limit differ: this build is broken", case.game);
            }
            if let Some(peer) = &mut peer {
                theirs = peer.measure()?.or(theirs).map(|speed: f64| speed.max(theirs.unwrap_or(0.0)));
            }
            if interrupt::requested() {
                break;
            }
        }
        let beside = match theirs {
            Some(speed) => format!("{speed:>9.0} {:>12.2}", speed / ours),
            None => String::new(),
        };
        sink.row(&Row {
            game: case.game,
            what: "search",
            value: ours,
            unit: "thousand nodes/s",
            rival: theirs.map(|speed| (speed, speed / ours)),
            text: format!("{:<14} {ours:>9.0} {beside}", case.game).trim_end().to_owned(),
        })
    }
}

/// Another program that is ready to search the same start.
struct Peer<'run> {
    engine: UciEngine,
    case: &'run Case,
}

impl Peer<'_> {
    /// `None` if the program does not know the game.
    fn start<'run>(program: &str, case: &'run Case) -> Option<Peer<'run>> {
        let settings = [("Threads", "1".to_owned()), ("Hash", HASH_MIB.to_string())];
        let settings = settings.map(|(name, value)| (name.to_owned(), value));
        let mut engine = UciEngine::start(program, &[], &settings).ok()?;
        engine.set_variant(variant_name(case.game)).ok()?;
        Some(Peer { engine, case })
    }

    /// Thousand nodes a second of one search; `None` if the program does not say or the time was too short to tell.
    fn measure(&mut self) -> Result<Option<f64>> {
        let wrong = |_| anyhow::anyhow!("{}: the peer does not answer", self.case.game);
        self.engine.new_game().map_err(wrong)?;
        // Five times our nodes: processor time of other programs comes in hundredths of a second.
        let go = format!("go nodes {}", 5 * self.case.nodes);
        let before = self.engine.processor_seconds();
        let answer = self.engine.go("position startpos", &go, None, &interrupt::requested);
        let answer = answer.map_err(|_| anyhow::anyhow!("{}: the peer does not answer", self.case.game))?;
        let (Some(before), Some(after)) = (before, self.engine.processor_seconds()) else { return Ok(None) };
        let seconds = after - before;
        Ok(answer.nodes.filter(|_| seconds >= 0.05).map(|nodes| nodes as f64 / seconds / 1e3))
    }
}
