//! Is an evaluation worth something? The whole evaluation of a game plays against a part of it:
//! `cargo run --release -p search --example duel -- othello [--keep discs] [--games 100] [--nodes 10000] [--plies 5]`
//!
//! Games come in pairs from the same random opening, colours exchanged; both players search the same number of nodes
//! with the same switches. `--keep a,b` names the features that the opponent keeps, none without it. With `--derived
//! yes` the first player has the evaluation that is derived from the rules. Same seed, same games.

mod support;

use estimate::{Derived, Estimated};
use game::record::{Record, Standing};
use game::{Colour, Game, MoveList, Stage};
use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings, StoppedClock};
use support::{compiled, heuristics, number, option, program};
use table::{Bucketed, Replacement, Table};

const PLIES_MAX: usize = 300;

/// A player.
struct Player<G: Game> {
    game: G,
    knowledge: Knowledge,
    table: Bucketed,
    settings: Settings,
}

impl<G: Game> Player<G> {
    fn new(game: G) -> Player<G> {
        let start = game.info().start.clone().expect("a start");
        let knowledge = Knowledge::learn(&game, &start).expect("no faults");
        let settings = Settings { heuristics: heuristics(), ..Settings::new(Engine::NegaScout) };
        Player { game, knowledge, table: Bucketed::new(16, Replacement::Age), settings }
    }

    /// The place of its move among the legal ones.
    fn choose(&self, record: &Record<'_, G>, nodes: u64) -> usize {
        self.table.next_generation();
        let (table, knowledge, control) = (&self.table, &self.knowledge, &Control::default());
        let resources = Resources { table, knowledge, control, clock: &StoppedClock, team: None };
        let root = Root::of_record(record);
        let limits = Limits::to_nodes(nodes);
        let report = search::search(&self.game, &root, &self.settings, &limits, resources, &mut |_| {})
            .expect("no faults");
        let best = report.best.expect("a move");
        record.legal().iter().position(|played| played.same_as(best.view())).expect("a legal move")
    }
}

fn play<G: Game>(record: &mut Record<'_, G>, index: usize) {
    let played = record.legal().get(index).to_move();
    record.play(&played).expect("no faults");
}

/// Random moves from the start, as places among the legal ones; none when the game ends on the way.
fn opening<G: Game>(game: &G, plies: u64, random: &mut fastrand::Rng) -> Option<Vec<usize>> {
    let mut position = game.pack(game.info().start.as_ref()?);
    let mut moves = MoveList::new();
    let mut chosen = Vec::new();
    for _ in 0..plies {
        if game.generate(&position, Stage::All, &mut moves).ok()?.is_some() {
            return None;
        }
        let index = random.usize(..moves.len());
        let played = moves.get(index);
        if played.head.outcome().is_some() {
            return None;
        }
        chosen.push(index);
        game.play(&mut position, played);
    }
    Some(chosen)
}

/// What the first player gets: 1, ½ or 0.
fn game<F: Game, S: Game>(
    first: &Player<F>,
    second: &Player<S>,
    first_is: Colour,
    opening: &[usize],
    nodes: u64,
) -> f64 {
    first.table.clear();
    second.table.clear();
    let start = first.game.info().start.clone().expect("a start");
    let mut own = Record::new(&first.game, start.clone()).expect("no faults");
    let mut other = Record::new(&second.game, start).expect("no faults");
    for &index in opening {
        play(&mut own, index);
        play(&mut other, index);
    }
    for _ in 0..PLIES_MAX {
        if let Standing::Finished(outcome, mover) = own.standing() {
            let sign = outcome.sign() * if mover == first_is { 1 } else { -1 };
            return f64::from(sign + 1) / 2.0;
        }
        let turn = first.game.mover(own.position()) == first_is;
        let index = if turn { first.choose(&own, nodes) } else { second.choose(&other, nodes) };
        play(&mut own, index);
        play(&mut other, index);
    }
    0.5
}

fn main() {
    let name = std::env::args().nth(1).expect("the name of a game");
    let whole = program(&name);
    let mut part = whole.clone();
    let kept = option("keep").unwrap_or_default();
    part.features.retain(|feature| kept.split(',').any(|name| name == feature.name));
    let bare = compiled(&part);
    if option("derived").is_some() {
        let start = bare.info().start.clone().expect("a start");
        let derived = Derived::learn(&bare, &start, 1).expect("no faults");
        compete(&format!("{name}, derived"), &kept, Estimated::new(&bare, derived), compiled(&part));
    } else {
        compete(&format!("{name}, all"), &kept, compiled(&whole), bare);
    }
}

fn compete<F: Game, S: Game>(name: &str, kept: &str, first: F, second: S) {
    let (first, second) = (Player::new(first), Player::new(second));
    let (games, nodes, plies) = (number("games", 100), number("nodes", 10_000), number("plies", 5));
    let mut random = fastrand::Rng::with_seed(number("seed", 1));
    let mut results = Vec::new();
    while results.len() < games as usize {
        let Some(opening) = opening(&first.game, plies, &mut random) else { continue };
        for colour in Colour::BOTH {
            results.push(game(&first, &second, colour, &opening, nodes));
        }
    }
    let count = results.len() as f64;
    let mean = results.iter().sum::<f64>() / count;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = 1.96 * (variance / count).sqrt();
    let of = |wanted: f64| results.iter().filter(|&&result| result == wanted).count();
    println!(
        "{name} against [{kept}], {nodes} nodes a move: {} won, {} drawn, {} lost: {:.1} % ± {:.1}",
        of(1.0),
        of(0.5),
        of(0.0),
        100.0 * mean,
        100.0 * error
    );
}
