//! Which suites of test positions come with the program for which game, for those who ask for one that does not.

use anyhow::{Result, bail};
use lang::diagnostic::did_you_mean;

use crate::library;

/// The suites of each game, as docs/suites.md lists them.
const SUITES: [(&str, &[&str]); 7] = [
    ("chess", &["wac", "bratko-kopec", "ecm-gcp", "sts"]),
    ("othello", &["othello-ffo-40-59", "othello-plaat"]),
    ("checkers", &["checkers-plaat"]),
    ("puzzle15", &["korf15", "fifteen-hardest"]),
    ("puzzle24", &["korf24"]),
    ("rubik", &["rubik"]),
    ("sokoban", &["microban-20"]),
];

/// The text of a suite for a game: one that comes with the program, or a file.
pub(crate) fn of_game(game: &str, name: &str) -> Result<String> {
    if let Some(text) = library::find_suite(name)? {
        return Ok(text);
    }
    let game = game.trim_start_matches("native:");
    let fitting = SUITES.iter().find(|(own, _)| *own == game).map_or(&[][..], |(_, names)| names);
    let hint = did_you_mean(name, fitting.iter().copied()).unwrap_or_else(|| match fitting {
        [] => "none comes with the program for this game, so give a path to a file".to_owned(),
        [only] => format!("for this game there is {only}; or give a path to a file"),
        names => format!("for this game there are {}; or give a path to a file", names.join(", ")),
    });
    bail!("there is no suite `{}`: {hint}", name.chars().take(60).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_that_fit_are_named() {
        for (game, names) in SUITES {
            assert!(library::source(game).is_some(), "{game}");
            for name in names {
                assert!(of_game(game, name).is_ok(), "{name}");
            }
        }
        let told = |game: &str, name: &str| of_game(game, name).unwrap_err().to_string();
        assert_eq!(told("chess", "wacc"), "there is no suite `wacc`: did you mean `wac`?");
        assert_eq!(
            told("native:chess", "nonsense"),
            "there is no suite `nonsense`: for this game there are wac, bratko-kopec, ecm-gcp, sts; or give a path to \
             a file"
        );
        assert!(told("rubik", "nonsense").contains("there is rubik;"));
        assert!(told("hex", "wacc").contains("none comes with the program for this game"));
    }
}
