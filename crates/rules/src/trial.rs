//! Rules put on trial: the start position and some random games, and what looks wrong about them. All of it is a
//! warning: nothing that random games do not show is proven.

mod messages;
mod unguarded;

use game::history::RepetitionResult;
use game::record::{Record, Standing};
use game::{Colour, Game, GameInfo, MoveList, MoveView, Outcome, PieceCode, Position, Stage};
use lang::syntax::StatementKind;
use lang::{Diagnostic, Source, Span};

use crate::ir::{Ending, Expression, ExpressionKind, Node, NodeKind};
use crate::{Interpreter, Program, walk};

/// How much is played at most.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// So many games.
    pub games: u64,
    /// A game of so many moves does not end, as far as we can see.
    pub plies: usize,
    /// So many moves in all games together.
    pub plies_in_all: usize,
}

impl Effort {
    /// A second or so of the interpreter.
    pub const USUAL: Effort = Effort { games: 20, plies: 1_000, plies_in_all: 4_000 };
}

/// What has been seen.
#[derive(Default)]
struct Seen {
    ended: u64,
    endless: u64,
    /// Of the games that ended: those that a player won, those that repetition ended, those that lasted one move, and
    /// those of the last whose move was marked as the end.
    decided: u64,
    repeated: u64,
    at_once: u64,
    marked_at_once: u64,
    /// Games in which both players had nothing but a pass, twice in a row.
    stuck: u64,
    /// Forcing moves that take nothing from the opponent, and those that do.
    taking_nothing: u64,
    taking: u64,
    /// Moves carry pieces, and no statement offers a pass.
    carries: bool,
    /// A piece was picked up and put back, which changed nothing, where there were other moves.
    put_back: bool,
    /// Positions in which no move changes anything, and others.
    idle_positions: u64,
    lively_positions: u64,
}

/// Plays, and says what looks wrong. `go_on` is asked before every move.
#[must_use]
pub fn warnings(program: &Program, effort: Effort, seed: u64, go_on: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let game = Interpreter::new(program.clone());
    let main = name_of_main(&program.source);
    let starts: Vec<&Position> = program.setups.iter().map(|(_, position)| position).collect();
    if starts.is_empty() {
        return vec![messages::no_start(main)];
    }
    let mut seen = Seen { carries: carries_and_never_passes(&program.source), ..Seen::default() };
    let mut left = effort.plies_in_all;
    let mut random = seed;
    for index in 0..effort.games as usize {
        let mut record = match Record::new(&game, starts[index % starts.len()].clone()) {
            Ok(record) => record,
            Err(fault) => {
                return vec![messages::cannot_begin(&game, starts[index % starts.len()], main, &fault)];
            }
        };
        if index == 0 && record.standing() != Standing::Open {
            let message = "the game is over before the first move";
            return vec![messages::cannot_move(&game, starts[0], main, message)];
        }
        let mut passes = 0;
        while record.standing() == Standing::Open && record.moves().len() < effort.plies {
            if left == 0 || !go_on() {
                return messages::summary(program, main, effort, &seen);
            }
            left -= 1;
            random = next(random);
            let chosen = (mix(random) % record.legal().len().max(1) as u64) as usize;
            note_captures(game.info(), game.mover(record.position()), record.legal().get(chosen), &mut seen);
            passes = note_passes(&record, passes, &mut seen);
            let chosen = record.legal().get(chosen).to_move();
            if let Err(fault) = record.play(&chosen) {
                return vec![messages::fault_in_a_game(&program.source, main, record.moves().len(), &fault)];
            }
        }
        note_ending(&record, &mut seen);
    }
    messages::summary(program, main, effort, &seen)
}

/// Counts moves that change nothing. `passes` is how many positions in a row had no other; returns it for the next.
fn note_passes(record: &Record<'_, Interpreter>, passes: u64, seen: &mut Seen) -> u64 {
    let legal = record.legal();
    let passes_among_others = legal.len() > 1 && legal.iter().any(changes_nothing);
    seen.put_back |= seen.carries && !seen.put_back && passes_among_others && !offers_pass(record);
    if !legal.iter().all(changes_nothing) {
        seen.lively_positions += 1;
        return 0;
    }
    seen.idle_positions += 1;
    if passes + 1 == PASSES_IN_A_ROW {
        seen.stuck += 1;
    }
    passes + 1
}

/// Whether a pass is possible here that puts no piece back: one by `assign (passed = 1)`, say.
fn offers_pass(record: &Record<'_, Interpreter>) -> bool {
    let mut program = record.game().program().clone();
    program.functions.iter_mut().for_each(|function| forbid_put_down(&mut function.body));
    let (game, mut moves) = (Interpreter::new(program), MoveList::new());
    let found = game.generate(record.position(), Stage::All, &mut moves);
    found.is_ok() && moves.iter().any(changes_nothing)
}

/// Makes each `put down` fail.
fn forbid_put_down(node: &mut Node) {
    if matches!(node.kind, NodeKind::PutDown) {
        let never = Expression { kind: ExpressionKind::Integer(0), span: node.span };
        node.kind = NodeKind::Assert(never);
    }
    walk::children_mut(node).into_iter().for_each(forbid_put_down);
}

/// So many passes in a row, where nothing else was possible, will go on for ever.
const PASSES_IN_A_ROW: u64 = 4;

/// Counts how a game ended, if it did.
fn note_ending(record: &Record<'_, Interpreter>, seen: &mut Seen) {
    let Standing::Finished(outcome, viewer) = record.standing() else {
        seen.endless += 1;
        return;
    };
    seen.ended += 1;
    // Points decide, even where both have the same.
    let decided = outcome.winner(viewer).is_some() || matches!(outcome, Outcome::Score(_));
    seen.decided += u64::from(decided);
    let marked = record.ended().is_some();
    let rule = record.game().info().repetition;
    let again = record.history().occurrences() >= rule.occurrences;
    seen.repeated += u64::from(!marked && again && rule.result != RepetitionResult::Ignored);
    if record.moves().len() == 1 {
        seen.at_once += 1;
        seen.marked_at_once += u64::from(marked);
    }
}

/// Counts a move that changes fields of the opponent: is one of those pieces gone, or are all still there?
fn note_captures(info: &GameInfo, mover: Colour, played: MoveView<'_>, seen: &mut Seen) {
    if !played.head.forcing() {
        return;
    }
    let fields = info.geometry.fields();
    let is_opponents = |value: i32| info.colour_of(PieceCode(value as u8)) == Some(mover.opponent());
    let count = |value: fn(game::Change) -> i32| {
        let changes = played.changes.iter().filter(|change| change.slot() < fields);
        changes.filter(|change| is_opponents(value(**change))).count()
    };
    let (before, after) = (count(game::Change::old), count(game::Change::new));
    match before > after {
        true => seen.taking += 1,
        false => seen.taking_nothing += 1,
    }
}

fn changes_nothing(played: MoveView<'_>) -> bool {
    played.head.outcome().is_none() && played.changes.iter().all(|change| change.old() == change.new())
}

/// Whether moves carry pieces, and no statement offers a pass.
fn carries_and_never_passes(source: &Source) -> bool {
    let (mut carries, mut passes) = (false, false);
    for function in &lang::parse(source).tree.functions {
        lang::walk::statements(&function.body, &mut |statement| match statement.kind {
            StatementKind::PutDown => carries = true,
            StatementKind::Nothing => passes = true,
            StatementKind::Find(_)
            | StatementKind::PointsAt(_)
            | StatementKind::ReplaceBy(_)
            | StatementKind::PickUp
            | StatementKind::Step { .. }
            | StatementKind::Direction(_)
            | StatementKind::Directions(_)
            | StatementKind::Turn(_)
            | StatementKind::MoveTo(..)
            | StatementKind::Either(_)
            | StatementKind::Optionally(_)
            | StatementKind::Try(..)
            | StatementKind::Test(_)
            | StatementKind::Not(_)
            | StatementKind::Repeat(..)
            | StatementKind::While(..)
            | StatementKind::DoWhile(..)
            | StatementKind::Assert(_)
            | StatementKind::Assign(_)
            | StatementKind::Match(_)
            | StatementKind::ToMove(_)
            | StatementKind::Irreversible
            | StatementKind::Name(_)
            | StatementKind::Forcing(_)
            | StatementKind::Ending(_)
            | StatementKind::Score(_)
            | StatementKind::Most(..)
            | StatementKind::Cycle(_)
            | StatementKind::Sequence(_)
            | StatementKind::Call(_)
            | StatementKind::Mistake => {}
        });
    }
    carries && !passes
}

/// Whether the rules say by themselves which moves are forcing.
fn marks_forcing(program: &Program) -> bool {
    has(program, &|kind| matches!(kind, NodeKind::Forcing(_)))
}

/// Whether the rules say who wins.
fn decides(program: &Program) -> bool {
    let repetition = program.info.repetition.result;
    !matches!(repetition, RepetitionResult::Ignored | RepetitionResult::Draw)
        || has(program, &|kind| {
            matches!(kind, NodeKind::Ending(Ending::Win | Ending::Loss) | NodeKind::Score(_))
        })
}

/// Whether a rule has such a statement.
fn has(program: &Program, wanted: &dyn Fn(&NodeKind) -> bool) -> bool {
    let mut found = false;
    for function in &program.functions {
        walk::for_each_node(&function.body, &mut |node| found |= wanted(&node.kind));
    }
    found
}

fn name_of_main(source: &Source) -> Span {
    let tree = lang::parse(source).tree;
    let main = tree.functions.iter().find(|function| function.name.value == "main");
    main.map_or(tree.end, |function| function.name.span)
}

fn next(random: u64) -> u64 {
    random.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// Spreads every bit over all others (the last step of splitmix64).
fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
