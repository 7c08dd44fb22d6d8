//! What is inferred for the games of the library, and what designers can say.

use std::collections::HashSet;
use std::path::Path;

use super::{Board, Look};

fn look_of(rules: &str) -> Look {
    let source = lang::Source::new("rules", rules);
    let Ok((program, _)) = rules::compile(&source, None) else { panic!("the rules are wrong: {rules}") };
    Look::of(&program.info, rules)
}

fn library() -> Vec<(String, Look)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let games = files.filter(|path| path.extension().is_some_and(|ending| ending == "mg"));
    games
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, look_of(&std::fs::read_to_string(&path).unwrap()))
        })
        .collect()
}

#[test]
fn boards_are_inferred_from_rules() {
    let expected = |name: &str| match name {
        "hex" | "hexagon" => Board::Hexagons,
        "morris" | "tapatan" | "surakarta" | "gomoku" | "gomoku_standard" | "atarigo" | "xiangqi"
        | "minixiangqi" => Board::Points,
        "awari" | "kalah" => Board::Pits,
        "connect4" | "connect4_8x7" => Board::Holes,
        "hanoi" | "pancake" => Board::Bars,
        "qubic" => Board::Layers,
        "rubik" | "pocketcube" => Board::Net,
        "othello" | "othello6" | "ataxx" | "clobber" | "konane" | "loa" | "domineering" | "tictactoe"
        | "quarto" | "nim" | "life" | "lightsout" | "sokoban" | "klotski" | "peg" | "puzzle8"
        | "puzzle15" | "puzzle24" | "doubleblank" | "halma" | "tablut" | "dobutsu" | "minishogi"
        | "amazons" => Board::Squares,
        _ => Board::Chequered,
    };
    for (name, look) in library() {
        assert_eq!(look.board, expected(&name), "{name}");
    }
}

#[test]
fn every_field_has_a_place_of_its_own_and_every_piece_a_drawing() {
    for (name, look) in library() {
        let mut places = HashSet::new();
        for cell in look.cells.iter().flatten() {
            assert!(
                cell.x > 0.0 && cell.x < look.width && cell.y > 0.0 && cell.y < look.height,
                "{name}: {cell:?}"
            );
            assert!(
                places.insert(((cell.x * 100.0) as i32, (cell.y * 100.0) as i32)),
                "{name}: two fields at {cell:?}"
            );
        }
        for piece in &look.pieces {
            assert!(lang::appearance::SHAPES.contains(&piece.shape.as_str()), "{name}: {piece:?}");
        }
    }
}

#[test]
fn chess_pieces_hands_and_numbers_are_known() {
    let games: std::collections::HashMap<String, Look> = library().into_iter().collect();
    let shapes =
        |name: &str| games[name].pieces.iter().map(|piece| piece.shape.as_str()).collect::<HashSet<_>>();
    assert_eq!(shapes("chess"), HashSet::from(["pawn", "knight", "bishop", "rook", "queen", "king"]));
    assert_eq!(shapes("checkers"), HashSet::from(["disc", "crowned"]));
    assert_eq!(shapes("puzzle15"), HashSet::from(["tile"]));
    assert_eq!(shapes("tictactoe"), HashSet::from(["cross", "ring"]));
    let label = |name: &str, index: usize| games[name].pieces[index].label.clone();
    assert_eq!((label("puzzle15", 11), label("hanoi", 2)), ("12".to_owned(), "3".to_owned()));
    let held = |name: &str| games[name].numbers.iter().filter(|number| number.piece.is_some()).count();
    assert_eq!((held("minishogi"), held("morris"), held("chess")), (5, 1, 0));
    assert_eq!(games["hex"].edges.len(), 4);
    assert_eq!(games["morris"].lines.len(), 32);
    assert_eq!(games["checkers"].blanks.len(), 32);
}

#[test]
fn designers_have_the_last_word() {
    let rules = "dimensions (3, 3)\npieces { man 'M' 'm' }\nappearance { board : hexagons\nedges : white north\nman : queen, red, blue, 'Z' }\n\
        setup\n{\nmmm\n...\nMMM\n}\nmain = find own man, pick up, north, step, points at empty field, put down.";
    let look = look_of(rules);
    assert_eq!((look.board, look.edges.len()), (Board::Hexagons, 1));
    let black = &look.pieces[1];
    assert_eq!(
        (black.shape.as_str(), black.label.as_str(), black.colour.as_deref()),
        ("queen", "Z", Some("blue"))
    );
}
