//! The readers that take text from outside, each as one function of any text. They understand it or refuse it and
//! never crash; what they understand can be written again. Fuzz targets call them (`scripts/fuzz NAME 60`), and
//! the test `readers` of `protocol` calls them with a bounded number of texts.

use game::{Game, MoveList, Position, Stage, fen, notation, text};
use lang::Source;
use protocol::{dialect, pgn, problems, san};
use rules::Interpreter;

/// A game by its rules.
fn interpreter(name: &str, rules: &str) -> Interpreter {
    let source = Source::new(format!("{name}.mg"), rules);
    let (program, _) = rules::compile(&source, None).unwrap_or_else(|_| panic!("{name} does not compile"));
    Interpreter::new(program)
}

/// The games that readers are tried with.
pub struct Readers {
    chess: Interpreter,
    draughts: Interpreter,
    sokoban: Interpreter,
    start: Position,
    legal: MoveList,
}

/// The names of the readers, as fuzz targets call them.
#[allow(dead_code)] // the targets know their own
pub const NAMES: [&str; 7] = ["positions", "moves", "pgn", "epd", "uci", "xboard", "xsb"];

impl Readers {
    /// Opens the games.
    pub fn new() -> Readers {
        let chess = interpreter("chess", include_str!("../games/chess.mg"));
        let start = chess.info().start.clone().expect("chess has a setup");
        let mut legal = MoveList::new();
        let outcome = chess.generate(&start, Stage::All, &mut legal);
        assert!(outcome.is_ok(), "chess can be played");
        Readers {
            draughts: interpreter("draughts", include_str!("../games/draughts.mg")),
            sokoban: interpreter("sokoban", include_str!("../games/sokoban.mg")),
            chess,
            start,
            legal,
        }
    }

    /// Lets one of the readers read.
    pub fn read(&self, reader: &str, given: &str) {
        match reader {
            "positions" => [&self.chess, &self.draughts].into_iter().for_each(|game| position(game, given)),
            "moves" => {
                let _ = san::find(self.chess.info(), &self.start, &self.legal, given);
                let _ = notation::find(self.chess.info(), &self.start, &self.legal, given);
                let _ = protocol::coordinates::find(self.chess.info(), &self.start, &self.legal, given);
            }
            "pgn" => {
                for game in pgn::read(given).iter().take(8) {
                    let again = game.to_string();
                    assert!(pgn::read(&again).len() <= 1, "one game is written as several:\n{again}");
                    let _ = game.replay(&self.chess);
                }
            }
            "epd" => {
                let _ = problems::read(self.chess.info(), given);
            }
            "uci" => drop(given.lines().map(protocol::uci::command::parse).collect::<Vec<_>>()),
            "xboard" => drop(given.lines().map(protocol::xboard::command::parse).collect::<Vec<_>>()),
            "xsb" => {
                let _ = dialect::read_position(self.sokoban.info(), given);
                let _ = dialect::read_numbered(self.sokoban.info(), given, 2);
            }
            other => panic!("there is no reader `{other}`"),
        }
    }
}

/// What is read as a position is the same after writing it and reading it again.
fn position(game: &Interpreter, given: &str) {
    let Ok(read) = text::read(game.info(), given) else { return };
    let written = fen::write(game.info(), &read);
    let again = text::read(game.info(), &written);
    assert_eq!(again.as_ref().ok(), Some(&read), "written as {written}");
}
