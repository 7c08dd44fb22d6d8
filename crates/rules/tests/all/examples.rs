//! Every example of the documentation, and small programs in `lang/` that say in comments what they should do
//! (see `support/examples.rs` for how).

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use crate::support::examples::Example;
use crate::support::{files, read};
use lang::Source;
use lang::syntax::{Expression, ExpressionKind, NamePart, Statement, StatementKind};
use rules::trial::{self, Effort};
use rules::{Interpreter, expectations};

fn documented() -> Vec<Example> {
    let pages = ["README.md", "docs/language.md", "docs/tutorial.md", "docs/recipes.md"];
    pages.into_iter().flat_map(|page| Example::from_markdown(page, &read(page))).collect()
}

#[test]
fn examples_of_the_documentation_do_what_they_say() {
    let examples = documented();
    assert!(examples.len() > 20);
    check_all(examples);
}

/// A reader copies them: what random games show is right, too.
#[test]
fn recipes_pass_the_check_without_a_warning() {
    let warned = |example: Example| {
        let source = Source::new(example.name, example.text);
        let (program, mut warnings) = rules::compile(&source, None).expect("a recipe has a setup");
        warnings.extend(trial::warnings(&program, Effort::USUAL, 1, &|| true));
        warnings.iter().map(|one| lang::render(&source, one)).collect::<String>()
    };
    let all: String =
        Example::from_markdown("docs/recipes.md", &read("docs/recipes.md")).into_iter().map(warned).collect();
    assert!(all.is_empty(), "{all}");
}

#[test]
fn games_of_the_library_do_what_they_say() {
    let games = files("games", ".mg").into_iter().chain(files("games/sizes", ".mg"));
    let games: Vec<Example> = games.map(|path| Example { text: read(&path), name: path }).collect();
    let counted =
        |game: &&Example| expectations::expectations(&game.text).iter().any(|one| one.key == "perft");
    let without: Vec<&str> =
        games.iter().filter(|game| !counted(game)).map(|game| game.name.as_str()).collect();
    assert!(without.is_empty(), "write `# perft: …` at the end of these: {without:?}");
    check_all(games);
}

/// Checks all before it fails, so that one run shows everything that is wrong.
fn check_all(examples: Vec<Example>) {
    let fails = |example: &Example| catch_unwind(|| example.check(Interpreter::new)).is_err();
    let failed: Vec<String> = examples.into_iter().filter(fails).map(|example| example.name).collect();
    assert!(failed.is_empty(), "these failed: {failed:?}");
}

#[test]
fn small_programs_do_what_they_say() {
    let example = |path: String| Example { text: read(&path), name: path };
    check_all(files("crates/rules/tests/lang", ".mg").into_iter().map(example).collect());
}

/// Blocks that look like rules but are not marked as such would not be run.
#[test]
fn no_example_is_left_out() {
    for page in ["README.md", "docs/language.md", "docs/tutorial.md", "docs/recipes.md"] {
        let text = read(page);
        let mut fences = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("```"));
        while let (Some((number, opening)), Some(_)) = (fences.next(), fences.next()) {
            let kind = opening.trim().trim_start_matches('`');
            let known = ["mg", "text", "sh", "console"].contains(&kind);
            assert!(known, "{page}:{}: mark the block as `mg`, `text`, `sh` or `console`", number + 1);
        }
    }
}

/// Every statement and expression of the language, as the functions below call them.
const STATEMENTS: [&str; 34] = [
    "find",
    "points at",
    "replace by",
    "pick up",
    "put down",
    "step",
    "step backward",
    "north …",
    "orthogonal …",
    "turn",
    "move to",
    "either",
    "optionally",
    "try",
    "try else",
    "test",
    "not",
    "repeat",
    "while",
    "do while",
    "nothing",
    "assert",
    "assign",
    "match",
    "to move",
    "irreversible",
    "name",
    "win …",
    "score",
    "most",
    "cycle",
    "[ ]",
    "call",
    "forcing and quiet",
];
const EXPRESSIONS: [&str; 14] = [
    "integer",
    "property",
    "property of",
    "row",
    "column",
    "direction",
    "place",
    "number of",
    "table[]",
    "unary",
    "binary",
    "conditional",
    "assignment",
    "++",
];

#[test]
fn every_statement_has_an_example() {
    let mut seen = BTreeSet::new();
    for example in documented() {
        let tree = lang::parse(&Source::new(example.name, example.text)).tree;
        for function in &tree.functions {
            statement(&function.body, &mut seen);
        }
        for feature in &tree.features {
            statement(&feature.body, &mut seen);
            expression(&feature.weight, &mut seen);
        }
    }
    let missing: Vec<&str> =
        STATEMENTS.into_iter().chain(EXPRESSIONS).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "no example in the documentation for {missing:?}");
}

/// Notes which statements occur.
fn statement(node: &Statement, seen: &mut BTreeSet<&'static str>) {
    lang::walk::statements(node, &mut |node| {
        let name = name_of_statement(node, seen);
        seen.insert(name);
    });
}

/// The name of one statement, whose expressions are noted. No wildcard: a new statement does not compile until it is
/// listed here.
fn name_of_statement(node: &Statement, seen: &mut BTreeSet<&'static str>) -> &'static str {
    match &node.kind {
        StatementKind::Find(_) => "find",
        StatementKind::PointsAt(_) => "points at",
        StatementKind::ReplaceBy(_) => "replace by",
        StatementKind::PickUp => "pick up",
        StatementKind::PutDown => "put down",
        StatementKind::Step { backward: false } => "step",
        StatementKind::Step { backward: true } => "step backward",
        StatementKind::Direction(_) => "north …",
        StatementKind::Directions(_) => "orthogonal …",
        StatementKind::Turn(_) => "turn",
        StatementKind::MoveTo(column, row) => {
            expression(column, seen);
            expression(row, seen);
            "move to"
        }
        StatementKind::Either(_) => "either",
        StatementKind::Optionally(_) => "optionally",
        StatementKind::Try(_, None) => "try",
        StatementKind::Try(_, Some(_)) => "try else",
        StatementKind::Test(_) => "test",
        StatementKind::Not(_) => "not",
        StatementKind::Repeat(..) => "repeat",
        StatementKind::While(..) => "while",
        StatementKind::DoWhile(..) => "do while",
        StatementKind::Nothing => "nothing",
        StatementKind::Name(parts) => {
            for part in parts {
                if let NamePart::Value(value) = part {
                    expression(value, seen);
                }
            }
            "name"
        }
        StatementKind::Assert(value) => {
            expression(value, seen);
            "assert"
        }
        StatementKind::Assign(value) => {
            expression(value, seen);
            "assign"
        }
        StatementKind::Match(_) => "match",
        StatementKind::ToMove(_) => "to move",
        StatementKind::Irreversible => "irreversible",
        StatementKind::Forcing(_) => "forcing and quiet",
        StatementKind::Ending(_) => "win …",
        StatementKind::Score(value) => {
            expression(value, seen);
            "score"
        }
        StatementKind::Most(value, _) => {
            expression(value, seen);
            "most"
        }
        StatementKind::Cycle(_) => "cycle",
        StatementKind::Sequence(_) => "[ ]",
        StatementKind::Call(name) if name.value == "forcing" || name.value == "quiet" => "forcing and quiet",
        StatementKind::Call(_) => "call",
        StatementKind::Mistake => panic!("an example that cannot be read"),
    }
}

fn expression(node: &Expression, seen: &mut BTreeSet<&'static str>) {
    let mut inside = |parts: &[&Expression]| parts.iter().for_each(|part| expression(part, seen));
    let name = match &node.kind {
        ExpressionKind::Integer(_) => "integer",
        ExpressionKind::Name(Some(_), _) => "property of",
        ExpressionKind::Name(None, name) => match name.value.as_str() {
            "row" => "row",
            "column" => "column",
            "direction" => "direction",
            "place" => "place",
            _ => "property",
        },
        ExpressionKind::NumberOf(_) => "number of",
        ExpressionKind::Element(_, index) => {
            inside(&[index]);
            "table[]"
        }
        ExpressionKind::Unary(_, operand) => {
            inside(&[operand]);
            "unary"
        }
        ExpressionKind::Binary(_, left, right) => {
            inside(&[left, right]);
            "binary"
        }
        ExpressionKind::Conditional(condition, first, second) => {
            inside(&[condition, first, second]);
            "conditional"
        }
        ExpressionKind::Assign(_, target, value) => {
            inside(&[target, value]);
            "assignment"
        }
        ExpressionKind::Step(_, _, target) => {
            inside(&[target]);
            "++"
        }
        ExpressionKind::Comma(left, right) => {
            inside(&[left, right]);
            return;
        }
        ExpressionKind::Mistake => panic!("an example that cannot be read"),
    };
    seen.insert(name);
}

/// What is almost an expectation is checked by none, and prose must not be taken for one.
#[test]
fn no_comment_is_almost_an_expectation() {
    let games = files("games", ".mg").into_iter().chain(files("games/sizes", ".mg"));
    let games = games.map(|path| Example { text: read(&path), name: path });
    for example in games.chain(documented()) {
        assert_eq!(expectations::near_misses(&example.text), [], "{}", example.name);
    }
}
