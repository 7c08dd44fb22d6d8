//! The words of the language, and what to write instead of words that people bring along from English, from
//! programming, or from Ludii and Zillions.

use crate::diagnostic::nearest;

/// Words that cannot be names of rules, pieces or properties.
pub(crate) const RESERVED: [&str; 42] = [
    "find",
    "step",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "either",
    "or",
    "optionally",
    "try",
    "else",
    "test",
    "not",
    "repeat",
    "times",
    "while",
    "do",
    "nothing",
    "assert",
    "assign",
    "match",
    "irreversible",
    "win",
    "draw",
    "loss",
    "own",
    "opponent's",
    "white",
    "black",
    "any",
    "empty",
    "infinity",
    "row",
    "column",
    "turn",
    "replace",
];

/// Words that begin a statement, for "did you mean".
const STATEMENTS: [&str; 48] = [
    "find",
    "points at",
    "replace by",
    "pick up",
    "put down",
    "step",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "any direction",
    "turn",
    "move to",
    "either",
    "optionally",
    "try",
    "test",
    "not",
    "repeat",
    "while",
    "do",
    "nothing",
    "assert",
    "assign",
    "match",
    "white to move",
    "black to move",
    "irreversible",
    "name",
    "win",
    "draw",
    "loss",
    "score",
    "most",
    "cycle",
    "forcing",
    "quiet",
    "points",
    "replace",
    "move",
    "pick",
    "put",
];

/// Whether a word begins a statement: then a comma is missing before it.
pub(super) fn begins_statement(word: &str) -> bool {
    RESERVED.contains(&word) || STATEMENTS.contains(&word)
}

/// The statement or rule that a word may have meant.
pub(crate) fn suggest<'name>(word: &str, rules: impl Iterator<Item = &'name str>) -> Option<String> {
    if let Some(advice) = instead_of_statement(word) {
        return Some(advice.to_owned());
    }
    if matches!(word, "moves" | "rules") {
        return None;
    }
    let meant = match nearest(word, STATEMENTS.into_iter().chain(rules))? {
        "points" => "points at",
        "replace" => "replace by",
        "move" => "move to",
        "pick" => "pick up",
        "put" => "put down",
        other => other,
    };
    Some(format!("did you mean `{meant}`?"))
}

/// What to say about a word that is no statement, whatever it is.
pub(crate) fn suggest_always<'name>(word: &str, rules: impl Iterator<Item = &'name str>) -> String {
    suggest(word, rules).unwrap_or_else(|| format!("a rule of your own is written `{word} = … .`"))
}

/// The section that a word was meant to begin.
pub(super) fn meant_section(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "board" | "size" | "grid" | "dimension" => "dimensions",
        "start" | "initial" | "position" | "layout" => "setup",
        "piece" | "equipment" => "pieces",
        "variables" | "numbers" | "property" | "vars" | "state" => "properties",
        "graph" | "connections" | "connection" | "edges" | "adjacency" | "adjacent" | "link" => "links",
        "evaluate" | "eval" | "features" | "heuristic" => "evaluation",
        "repeat" | "repetitions" => "repetition",
        lower if super::sections::SECTIONS.contains(&lower) => {
            return super::sections::SECTIONS.into_iter().find(|section| *section == lower);
        }
        _ => return nearest(word, super::sections::SECTIONS),
    })
}

/// What to write instead of a word that is no statement here.
fn instead_of_statement(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let ways = [instead_of_control, instead_of_moving, instead_of_looking];
    ways.into_iter().find_map(|instead| instead(&word))
}

/// Conditions, loops, endings, and what rules do not do.
fn instead_of_control(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "when" | "elif" | "elsif" | "elseif" | "switch" | "case" => {
            "there is no `if`: what fails ends its branch; write `try [ condition, … ] else …`"
        }
        "unless" | "except" | "without" => "write `not …`, such as `not points at own piece`",
        "then" | "and" => "statements are separated by `,`, which also means \"and then\"",
        "for" | "foreach" | "each" | "every" | "all" => {
            "there is no loop over fields: `find WHAT` goes on from every field that it finds"
        }
        "until" => "write `do … while …`: it goes on as long as what follows `while` succeeds",
        "loop" => "write `repeat 1 .. infinity times …`, or `while … do …`",
        "maybe" | "perhaps" | "may" | "can" => "did you mean `optionally`?",
        "must" | "mandatory" | "forced" | "obligatory" => {
            "what must be done comes first: `try captures else other_moves`"
        }
        "random" | "randomly" | "chance" | "dice" | "roll" | "shuffle" => {
            "there is no chance in rules: `find`, `any direction` and `either` yield every possibility"
        }
        "next" | "endturn" | "end_turn" => "leave it out: after a move the turn passes by itself",
        "print" | "say" | "log" | "message" => "rules print nothing; `name \"…\"` says what a move is called",
        "name" => "`name` is followed by `\"text\"`, `field`, `piece` or `(number)`",
        "score" | "points_for" => {
            "`score (…)` ends the game with points; to count them, `assign (points += 1)` with a property"
        }
        "most" => "write `most (E) …`, such as `most (taken) captures`",
        "field" | "piece" => "`name` has parts that stand side by side, as in `name \"@\" field`",
        "cycle" | "rotate" | "permute" => "what stands on fields goes round by `cycle (a1, b1, c1)`",
        "pass" | "skip" | "noop" => "write `nothing`: a move that changes nothing is a pass",
        "let" | "var" | "let's" => "declare a number in `properties { … }` and write `assign (name = …)`",
        "end" | "finish" | "stop" | "return" | "gameover" | "game_over" | "end_game" | "endgame" => {
            "end a game with `win`, `draw`, `loss` or `score (…)`"
        }
        "lose" | "lost" | "defeat" => "did you mean `loss`?",
        "won" | "victory" | "winner" => "did you mean `win`?",
        "tie" | "stalemate" | "drawn" => "did you mean `draw`?",
        _ => return None,
    })
}

/// Directions, and ways over the board.
fn instead_of_moving(word: &str) -> Option<&'static str> {
    Some(match word {
        "forward" | "forwards" | "ahead" => "`north` is forward for the mover: write `north, step`",
        "backward" | "backwards" | "back" => {
            "`south` is backward for the mover; `step backward` goes against the direction"
        }
        "left" | "leftward" => "`west` is left for the mover; `turn -90` turns to the left",
        "right" | "rightward" => "`east` is right for the mover; `turn 90` turns to the right",
        "up" => "`north` is away from the mover: write `north, step`",
        "down" => "`south` is towards the mover: write `south, step`",
        "n" => "did you mean `north`?",
        "ne" => "did you mean `northeast`?",
        "e" => "did you mean `east`?",
        "se" => "did you mean `southeast`?",
        "s" => "did you mean `south`?",
        "sw" => "did you mean `southwest`?",
        "w" => "did you mean `west`?",
        "nw" => "did you mean `northwest`?",
        "adjacent" | "neighbor" | "neighbour" | "neighbors" | "neighbours" => {
            "write `orthogonal, step` or `any direction, step`"
        }
        "orthogonally" | "straight" => "did you mean `orthogonal`?",
        "diagonally" => "did you mean `diagonal`?",
        "hexagonal" | "hexagonally" | "hex" => {
            "say which six: `either north or northeast or east or south or southwest or west`"
        }
        "swap" | "exchange" => {
            "write `replace by …` on both fields; `cycle (a1, b1)` exchanges what stands on two of them"
        }
        "slide" | "ride" => {
            "write `repeat 0 .. infinity times [ step, points at empty field ], step`, with a direction before it"
        }
        "jump" | "hop" | "leap" => {
            "write the steps: `step, points at opponent's piece, step, points at empty field`"
        }
        "go" | "goto" | "from" | "at" | "to" => {
            "`find WHAT` or `move to (column, row)` puts the finger on a field"
        }
        "move" => {
            "to move the finger, write `step` or `move to (column, row)`; a piece, `pick up`, `put down`"
        }
        _ => return None,
    })
}

/// What is on a field, and what is done to it.
fn instead_of_looking(word: &str) -> Option<&'static str> {
    Some(match word {
        "choose" | "select" | "search" | "look" => {
            "write `find WHAT`: each field that it finds is a move of its own"
        }
        "line" | "lines" | "three" | "four" | "five" | "in_a_row" | "inline" => {
            "three in a row are `find own NAME, any direction, repeat 2 times [ step, points at own NAME ]`"
        }
        "occupied" => "write `points at any piece`",
        "empty?" | "vacant" | "free" | "blank" => "write `points at empty field`",
        "edge" | "border" | "corner" => {
            "write `assert (row == 1)`, or `test [ orthogonal, not step ]` where the board ends"
        }
        "on" | "in" | "where" => {
            "write `points at WHAT` to ask about the field, `assert (row == 3)` about its place"
        }
        "count" => "write `number of own NAME` in an `assert (…)`",
        "capture" | "take" | "remove" | "delete" | "kill" | "clear" => {
            "a piece is taken by `put down` on its field, or by `replace by empty field`"
        }
        "drop" => {
            "`put down` puts down what was picked up; `replace by NAME` puts a new piece on the finger's field"
        }
        "add" | "place" | "create" | "set" => {
            "write `replace by NAME` to put a piece on the finger's field, `assign (…)` to change a number"
        }
        "promote" | "become" | "change" | "flip" => "write `replace by NAME` on the piece's field",
        "verify" | "check" | "require" | "is" => {
            "write `points at WHAT` to ask about the field, `assert (…)` about numbers"
        }
        "points" | "point" => "did you mean `points at`?",
        "pick" => "did you mean `pick up`?",
        "put" => {
            "`put down` puts down what was picked up; `replace by NAME` puts a new piece on the finger's field"
        }
        _ => return None,
    })
}

/// What to write instead of a word that begins no section.
pub(super) fn instead_of_section(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "(" => {
            "rules are not written in brackets, as in Ludii or Zillions: `multigame new NAME` shows a game"
        }
        "board" | "size" | "grid" | "dimension" => "the size of the board is `dimensions (columns, rows)`",
        "start" | "initial" | "position" | "layout" => {
            "the start position is `setup { … }`, one line for a row"
        }
        "piece" | "equipment" => "pieces are listed in `pieces { name 'W' 'B' }`",
        "player" => "the number of players is `players = 2`",
        "rules" | "moves" | "play" | "game" => "the legal moves are a rule, `main = … .`",
        "goal" | "end" | "ending" | "win" => "games end by `win`, `draw` or `loss` in the rule of a move",
        "variables" | "numbers" => "numbers are listed in `properties { name : board : [0 .. 9] }`",
        "/" | "//" | "/*" | "--" | ";" | "%" => "comments begin with `#`",
        "{" => "rules are not JSON: `multigame new NAME` shows a game",
        "title" | "name" | "author" | "version" | "description" => "write it as a comment: `# title: …`",
        "def" | "define" | "function" | "fn" | "rule" | "class" | "import" | "include" => {
            "a rule is `name = statement, statement, … .`; `multigame new NAME` shows a game"
        }
        _ => return None,
    })
}

/// What to write where something else is expected, for what people are used to write there.
pub(super) fn instead_of(wanted: &str, found: &str, after: &str) -> Option<&'static str> {
    let is_word = after.starts_with(|first: char| first.is_ascii_alphabetic());
    Some(match (wanted, found) {
        ("a statement", "{" | "(") => "several statements are made one by `[ …, … ]`",
        ("a statement", "row" | "column" | "place" | "direction") => {
            "numbers are asked about in `assert (…)`, as in `assert (row == 3)`"
        }
        ("a statement", "!") => "write `not …`, as in `not points at own piece`",
        ("a statement", "empty") if !is_word => "write `points at empty field`",
        ("a statement", "own") if !is_word => "write `points at own piece`",
        ("a statement", "opponent's") if !is_word => "write `points at opponent's piece`",
        ("the name of a feature", _) => {
            "a feature is `name : weight = statements.`, such as `men : 10 = find own man.`"
        }
        ("the reason for which a position is refused, in double quotes", _) => {
            "write it before the test: `\"white has no king\" = find white king.`"
        }
        ("a statement", ",") => "leave out one `,`",
        ("a statement", "if") => "there is no `if`: write `try [ condition, … ] else …`",
        ("a statement", "white" | "black")
            if matches!(after, "win" | "wins" | "won" | "loses" | "lose" | "lost" | "loss") =>
        {
            "`win` and `loss` are the mover's: write `try [ white to move, win ] else loss`"
        }
        ("a statement", "any") if after.starts_with("direction") || after == "way" => {
            "did you mean `any direction`?"
        }
        ("a statement", "white" | "black") if after == ":" => {
            "write `white to move, …`, or the same with black"
        }
        ("`move`", _) => "write `white to move` or `black to move`",
        ("a statement", "any") if after.starts_with("neighb") || after.starts_with("adjacent") => {
            "write `any direction, step`"
        }
        ("a statement", "any") if matches!(after, "orthogonal" | "diagonal") => {
            "`orthogonal` and `diagonal` stand alone, and so does `any direction`"
        }
        ("a statement", "any") if !is_word => "did you mean `any direction`?",
        ("a statement", "own" | "opponent's" | "white" | "black" | "empty" | "any") if is_word => {
            "to ask what is on the finger's field, write `points at …`; to look for it, `find …`"
        }
        ("a statement", "else") => "`else` belongs to `try`, without a comma before it: `try [ … ] else …`",
        ("a statement", "or") => "`or` belongs to `either`, without a comma before it: `either … or …`",
        ("`by`", _) => "write `replace by NAME`, or `replace by empty field`",
        ("`(`", "left" | "right") => "write `turn 90` or `turn -90`",
        ("`(`", _) => {
            "numbers are asked about and changed in parentheses: `assert (row == 3)`, `assign (count = 0)`"
        }
        ("`)`", "or" | "and") if after.starts_with(|first: char| first.is_ascii_digit()) => {
            "each side is a whole comparison: `row == 3 || row == 4`"
        }
        ("`)`", "in") => "write two comparisons: `1 <= row && row <= 3`",
        ("`)`", "and") => "in expressions, \"and\" is `&&`",
        ("`)`", "mod") => "in expressions, the remainder is `%`, as in `row % 2`",
        ("`)`", "or") => "in expressions, \"or\" is `||`",
        ("`)`", "own" | "opponent's" | "white" | "black" | "any") => {
            "to count pieces, write `number of own NAME`"
        }
        ("`)`", "is") => "in expressions, \"is\" is `==`",
        ("a number or the name of a property", "not") => {
            "in expressions, \"not\" is `!`, as in `!(row == 3)`"
        }
        ("`times`", _) => "write `repeat 3 times …`, or `repeat 1 .. 3 times …`",
        ("`{`", _) => "what a section says stands in braces: `pieces { … }`",
        ("`(columns, rows)`", _) => "write `dimensions (8, 8)`",
        ("`,`", _) => "write two numbers with `,` between them, such as `(8, 8)`",
        ("a direction such as `north`", _)
        | ("the name of a field such as `e4`", "->" | "-" | "to" | "=") => {
            "a link is a field, a direction and a field: `a1 north c3`"
        }
        _ => return None,
    })
}

/// What a word before the name of a piece, or in its place, was meant to say.
pub(crate) fn meant_owner(word: &str) -> Option<&'static str> {
    named_owner(word).or_else(|| nearest(word, ["own", "opponent's", "white", "black", "any", "empty"]))
}

/// The same, for words that say it, and not for those that are misspelt.
pub(crate) fn named_owner(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "opponent" | "opponents" | "opponents'" | "enemy" | "enemies" | "enemy's" | "foe" | "foe's"
        | "rival" | "rival's" | "their" | "his" | "other" | "other's" | "opposing" | "next" => "opponent's",
        "my" | "mine" | "our" | "friend" | "friendly" | "friend's" | "mover" | "mover's" | "self"
        | "ally" | "own's" | "player's" | "player" | "your" => "own",
        "blank" | "free" | "vacant" | "unoccupied" | "emtpy" | "no" => "empty",
        _ if is_article(word) => "any",
        "white's" => "white",
        "black's" => "black",
        _ => return None,
    })
}

/// What to write instead of a word that is taken for a piece.
pub(crate) fn instead_of_piece(word: &str) -> Option<String> {
    let written = |what: &str| Some(format!("write `{what}`"));
    match word.to_ascii_lowercase().as_str() {
        "occupied" | "anything" | "something" | "full" => written("any piece"),
        "edge" | "border" | "end" | "outside" | "offboard" | "wall" => {
            Some("the board ends where no step is possible: write `not step`".to_owned())
        }
        "corner" | "center" | "centre" | "middle" | "home" | "goal" => {
            Some("say where that is: write `assert (column == 1 && row == 1)`".to_owned())
        }
        word => {
            let (column, row) = word.split_at_checked(1)?;
            let column = column.bytes().next().filter(u8::is_ascii_lowercase)? - b'a' + 1;
            let row: u32 = row.parse().ok()?;
            Some(format!(
                "that is a field: write `move to ({column}, {row})`, or `assert (column == {column} && row == {row})`"
            ))
        }
    }
}

/// Whether a word stands before names in English, where the language has nothing.
pub(super) fn is_article(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "a" | "an" | "the" | "all" | "every" | "each" | "some")
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    #[test]
    fn the_reference_lists_the_words_that_cannot_be_names() {
        let reference = include_str!("../../../../docs/language.md");
        let list = reference.split("These cannot:").nth(1).and_then(|rest| rest.split("\n-").next());
        let listed: Vec<&str> = list.unwrap_or_default().split('`').skip(1).step_by(2).collect();
        let mut words: Vec<&str> = RESERVED.into_iter().filter(|word| *word != "opponent's").collect();
        words.sort_unstable();
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, words);
    }
}
