//! Rules put on trial: the start position and some random games, and what looks wrong about them. All of it is a
//! warning: nothing that random games do not show is proven.

use game::record::{Record, Standing};
use game::{Colour, Game, GameInfo, MoveView, PieceCode, Position, RuleFault};
use lang::syntax::StatementKind;
use lang::{Diagnostic, Source, Span};

use crate::ir::NodeKind;
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
    /// Forcing moves that take nothing from the opponent, and those that do.
    taking_nothing: u64,
    taking: u64,
    /// A move that changed nothing where there were others.
    idle: bool,
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
        return vec![no_start(main)];
    }
    let mut seen = Seen::default();
    let mut left = effort.plies_in_all;
    let mut random = seed;
    for index in 0..effort.games as usize {
        let mut record = match Record::new(&game, starts[index % starts.len()].clone()) {
            Ok(record) => record,
            Err(fault) => return vec![cannot_begin(&game, starts[index % starts.len()], main, &fault)],
        };
        if index == 0 && record.standing() != Standing::Open {
            let message = "the game is over before the first move";
            return vec![cannot_move(&game, starts[0], main, message)];
        }
        while record.standing() == Standing::Open && record.moves().len() < effort.plies {
            if left == 0 || !go_on() {
                return summary(program, main, effort, &seen);
            }
            left -= 1;
            random = next(random);
            let chosen = (mix(random) % record.legal().len().max(1) as u64) as usize;
            note_captures(game.info(), game.mover(record.position()), record.legal().get(chosen), &mut seen);
            seen.idle |= record.legal().len() > 1 && record.legal().iter().any(changes_nothing);
            match record.legal().iter().all(changes_nothing) {
                true => seen.idle_positions += 1,
                false => seen.lively_positions += 1,
            }
            let chosen = record.legal().get(chosen).to_move();
            if let Err(fault) = record.play(&chosen) {
                return vec![fault_in_a_game(main, record.moves().len(), &fault)];
            }
        }
        match record.standing() {
            Standing::Open => seen.endless += 1,
            Standing::Finished(..) => seen.ended += 1,
        }
    }
    summary(program, main, effort, &seen)
}

fn summary(program: &Program, main: Span, effort: Effort, seen: &Seen) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    if program.info.players == 2 && seen.ended == 0 && seen.endless > 1 {
        let message = format!("{} random games did not end within {} moves", seen.endless, effort.plies);
        warnings.push(Diagnostic::warning("W008", main, message).hint(
            "say when a game is over with `win`, `draw` or `loss`, as in `main = try moves else loss`; \
             a third repetition is a draw by itself",
        ));
    }
    if seen.idle_positions > 0 && seen.lively_positions == 0 {
        let message = "every move leaves the board as it is: each is a pass";
        warnings.push(Diagnostic::warning("W017", main, message).hint(
            "say what a move changes: `pick up, any direction, step, put down` carries a piece, `replace by …` \
             and `assign (…)` change a field and a number",
        ));
    } else if seen.idle && carries_and_never_passes(&program.source) {
        let message = "a move puts its piece back where it was, which is a pass";
        warnings.push(Diagnostic::warning("W017", main, message).hint(
            "a piece that is picked up leaves an empty field behind, and may find it again: test that it stands \
             elsewhere before `put down`, or say `nothing` where a pass is meant",
        ));
    }
    let marked = marks_forcing(program);
    if !marked && seen.taking_nothing > 10 && seen.taking_nothing > 4 * seen.taking {
        let message = "most moves that change the opponent's pieces take none of them";
        warnings.push(Diagnostic::warning("W009", main, message).hint(
            "a search takes them for captures and follows them further, which makes it slow: if they capture \
             nothing, as when a part of the board is turned, mark them with `quiet`",
        ));
    }
    warnings
}

/// Rules without a start: every command has to be told where to begin.
fn no_start(main: Span) -> Diagnostic {
    Diagnostic::warning("W016", main, "there is no `setup`, so every command needs `--position`").hint(
        "draw the board as it stands at the beginning: `setup`, then its rows in braces, a row on each line, and \
         `white to move`",
    )
}

/// No move from a start position: the place where the rules come furthest.
fn cannot_move(game: &Interpreter, start: &Position, main: Span, why: &str) -> Diagnostic {
    let message = format!("no move is possible from the start position: {why}");
    match game.furthest(start) {
        Some(end) => Diagnostic::warning("W007", end.span, message)
            .hint(format!("nothing gets past this statement: {}", end.why)),
        None => Diagnostic::warning("W007", main, message)
            .hint("follow the rule `main` from the setup: which statement fails? whose turn is it?"),
    }
}

/// The rules go wrong in a start position.
fn cannot_begin(game: &Interpreter, start: &Position, main: Span, fault: &RuleFault) -> Diagnostic {
    if game.furthest(start).is_some() {
        return cannot_move(game, start, main, &fault.message);
    }
    let message = format!("no move is possible from the start position: {}", fault.message);
    Diagnostic::warning("W007", main, message).hint(format!("in rule `{}`{}", fault.rule, fault.place))
}

fn fault_in_a_game(main: Span, plies: usize, fault: &RuleFault) -> Diagnostic {
    let message = format!("a random game went wrong at move {}: {}", plies + 1, fault.message);
    let rows: String = fault.position.lines().map(|row| format!("\n      {row}")).collect();
    Diagnostic::warning("W010", main, message).hint(format!(
        "in rule `{}`{}; `multigame selfplay FILE` shows it again. The position was{rows}",
        fault.rule, fault.place
    ))
}

/// Counts a move that changes fields of the opponent: is a piece of his gone, or are all still there?
fn note_captures(info: &GameInfo, mover: Colour, played: MoveView<'_>, seen: &mut Seen) {
    if !played.head.forcing() {
        return;
    }
    let fields = info.geometry.fields();
    let is_his = |value: i32| info.colour_of(PieceCode(value as u8)) == Some(mover.opponent());
    let count = |value: fn(game::Change) -> i32| {
        let changes = played.changes.iter().filter(|change| change.slot() < fields);
        changes.filter(|change| is_his(value(**change))).count()
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
            _ => {}
        });
    }
    carries && !passes
}

/// Whether the rules say by themselves which moves are forcing.
fn marks_forcing(program: &Program) -> bool {
    let mut found = false;
    for function in &program.functions {
        walk::for_each_node(&function.body, &mut |node| found |= matches!(node.kind, NodeKind::Forcing(_)));
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
