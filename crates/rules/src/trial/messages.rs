//! What a trial says.

use game::history::RepetitionResult;
use game::{Position, RuleFault};
use lang::{Diagnostic, Source, Span};

use super::unguarded::Unguarded;
use super::{Effort, PASSES_IN_A_ROW, Seen, decides, marks_forcing};
use crate::{Interpreter, Program};

/// Everything that looks wrong in what has been seen.
pub(super) fn summary(program: &Program, main: Span, effort: Effort, seen: &Seen) -> Vec<Diagnostic> {
    let all = [
        endless(program, main, effort, seen),
        passes(main, seen),
        over_at_once(program, main, seen),
        undecided(program, main, effort, seen),
        no_captures(program, main, seen),
    ];
    all.into_iter().flatten().collect()
}

/// Games that go on and on.
fn endless(program: &Program, main: Span, effort: Effort, seen: &Seen) -> Option<Diagnostic> {
    if program.info.players != 2 || seen.ended > 0 || seen.endless < 2 || seen.stuck > 0 {
        return None;
    }
    let message = format!("{} random games did not end within {} moves", seen.endless, effort.plies);
    let ignored = program.info.repetition.result == RepetitionResult::Ignored;
    // A player could always move: `try moves else loss` would end none of these games.
    let hint = match (decides(program), ignored) {
        (false, true) => {
            "say what ends a game, as in `try [ …, win ]` at the end of a move; leave out `repetition ignored`, so that a \
             third repetition is a draw, or count moves in a property and end the game with `draw`"
        }
        (false, false) => {
            "say what ends a game, as in `try [ …, win ]` at the end of a move, or count moves in a property and end \
             the game with `draw`"
        }
        (true, true) => {
            "no game came to its `win`, `draw` or `loss`: leave out `repetition ignored`, so that a third repetition \
             is a draw, or count moves in a property and end the game with `draw`"
        }
        (true, false) => {
            "no game came to its `win`, `draw` or `loss`: count moves in a property and end the game with `draw` or \
             `score`, as in the recipe \"Repetition, and games that do not end\""
        }
    };
    Some(Diagnostic::warning("W008", main, message).hint(hint))
}

/// Moves that change nothing.
fn passes(main: Span, seen: &Seen) -> Option<Diagnostic> {
    if seen.idle_positions > 0 && seen.lively_positions == 0 {
        let message = "every move leaves the board as it is: each is a pass";
        return Some(Diagnostic::warning("W017", main, message).hint(
            "say what a move changes: `pick up, any direction, step, put down` carries a piece, `replace by …` \
             and `assign (…)` change a field and a number",
        ));
    }
    if seen.put_back {
        let message = "a move puts its piece back where it was, which is a pass";
        return Some(Diagnostic::warning("W017", main, message).hint(
            "a piece that is picked up leaves an empty field behind, and may find it again: test that it stands \
             elsewhere before `put down`, or say `nothing` where a pass is meant",
        ));
    }
    if seen.stuck > 0 {
        let message =
            format!("players pass for ever: {PASSES_IN_A_ROW} times in a row no other move was possible");
        return Some(Diagnostic::warning("W019", main, message).hint(
            "end the game when neither can move: a property remembers the first pass, and the second one says \
             `draw`, `loss` or `score`, as in the recipe \"Passing\"",
        ));
    }
    None
}

/// Games that end with their first move.
fn over_at_once(program: &Program, main: Span, seen: &Seen) -> Option<Diagnostic> {
    if seen.at_once < 2 || seen.at_once < seen.ended || seen.endless > 0 {
        return None;
    }
    let message = format!("each of {} random games ended with its first move", seen.ended);
    let hint = match seen.marked_at_once {
        0 => {
            "the second player has no move: see that the setup has pieces of both, and that their moves lead onwards \
             for black, who sees the board turned unless the rules say `sides = 1`"
        }
        _ => {
            "`win`, `draw` and `loss` end the game wherever a move meets them: ask first, as in \
             `try [ test [ find own king, assert (row == 8) ], win ]`"
        }
    };
    let unguarded = Unguarded::of(&program.source).filter(|_| seen.marked_at_once > 0);
    let hint = unguarded.map_or_else(|| hint.to_owned(), |unguarded| unguarded.advice());
    Some(Diagnostic::warning("W018", main, message).hint(hint))
}

/// Games that no player ever wins.
fn undecided(program: &Program, main: Span, effort: Effort, seen: &Seen) -> Option<Diagnostic> {
    if program.info.players != 2 || seen.decided > 0 || seen.ended == 0 {
        return None;
    }
    let warning = |message: String| Diagnostic::warning("W020", main, message);
    if !decides(program) {
        return Some(warning("no player can win: the rules have no `win`, `loss` or `score`".to_owned()).hint(
            "say who wins: `try [ test [ … ], win ]` at the end of a move, or `main = try moves else loss` where a \
             player without a move has lost",
        ));
    }
    // Games of good players are decided that random ones are not: long ones, and those that go round in circles.
    let all_by_rule = seen.ended == effort.games && seen.repeated == 0 && seen.at_once < seen.ended;
    all_by_rule.then(|| {
        warning(format!("no player has won any of {} random games", seen.ended)).hint(
            "look whether `win`, `loss` or `score` can be met: play to such a position and ask \
             `multigame show FILE --position …`, or write it down as a comment, `# after: …` and \
             `# standing: white wins`",
        )
    })
}

/// Forcing moves that capture nothing.
fn no_captures(program: &Program, main: Span, seen: &Seen) -> Option<Diagnostic> {
    if marks_forcing(program) || seen.taking_nothing <= 10 || seen.taking_nothing <= 4 * seen.taking {
        return None;
    }
    let message = "most moves that change the opponent's pieces take none of them";
    Some(Diagnostic::warning("W009", main, message).hint(
        "a search takes them for captures and follows them further, which makes it slow: if they capture \
         nothing, as when a part of the board is turned, mark them with `quiet`",
    ))
}

/// Rules without a start: every command has to be told where to begin.
pub(super) fn no_start(main: Span) -> Diagnostic {
    Diagnostic::warning("W016", main, "there is no `setup`, so every command needs `--position`").hint(
        "draw the board as it stands at the beginning: `setup`, then its rows in braces, a row on each line, and \
         `white to move`",
    )
}

/// No move from a start position: the place where the rules come furthest.
pub(super) fn cannot_move(game: &Interpreter, start: &Position, main: Span, why: &str) -> Diagnostic {
    let message = format!("no move is possible from the start position: {why}");
    match game.furthest(start) {
        Some(end) => Diagnostic::warning("W007", end.span, message)
            .hint(format!("nothing gets past this statement: {}", end.why))
            .maybe_hint(
                Unguarded::of(&game.program().source)
                    .filter(|unguarded| unguarded.holds(end.span))
                    .map(|unguarded| unguarded.advice()),
            ),
        None => Diagnostic::warning("W007", main, message)
            .hint("follow the rule `main` from the setup: which statement fails? whose turn is it?"),
    }
}

/// The rules go wrong in a start position.
pub(super) fn cannot_begin(
    game: &Interpreter,
    start: &Position,
    main: Span,
    fault: &RuleFault,
) -> Diagnostic {
    if game.furthest(start).is_some() {
        return cannot_move(game, start, main, "there are no moves and no outcome");
    }
    let message = "the rules go wrong in the start position, so that no move is possible";
    Diagnostic::warning("W007", place_of(&game.program().source, fault).unwrap_or(main), message)
        .hint(format!("in rule `{}`, {}", fault.rule, fault.message))
}

pub(super) fn fault_in_a_game(source: &Source, main: Span, plies: usize, fault: &RuleFault) -> Diagnostic {
    let message = format!("the rules went wrong at move {} of a random game", plies + 1);
    let rows: String = fault.position.lines().map(|row| format!("\n      {row}")).collect();
    Diagnostic::warning("W010", place_of(source, fault).unwrap_or(main), message).hint(format!(
        "in rule `{}`, {}; `multigame selfplay FILE` shows it again. The position was{rows}",
        fault.rule, fault.message
    ))
}

/// Where a fault says that it happened, in ` at file:line:column`.
fn place_of(source: &Source, fault: &RuleFault) -> Option<Span> {
    let mut parts = fault.place.rsplitn(3, ':');
    let column: usize = parts.next()?.parse().ok()?;
    let line: usize = parts.next()?.parse().ok()?;
    let start: usize = source.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let rest = source.text.get(start..)?.split('\n').next()?;
    let (at, _) = rest.char_indices().nth(column.checked_sub(1)?)?;
    let word = rest[at..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    Some(Span::new(start + at, start + at + word.max(1)))
}
