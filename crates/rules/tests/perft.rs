//! x
use game::{Game, MoveList, Stage, text};
use rules::*;
fn perft(g: &Interpreter, p: &mut game::Position, d: u32) -> u64 {
    let mut l = MoveList::new();
    if g.generate(p, Stage::All, &mut l).unwrap_or_else(|e| panic!("{e}")).is_some() {
        return 0;
    }
    let mut n = 0;
    for m in l.iter() {
        if d == 1 || m.head.outcome().is_some() {
            if d == 1 {
                n += 1
            }
            continue;
        }
        let before = p.clone();
        g.play(p, m);
        assert_eq!(p.signature(), p.recomputed_signature(g.info()));
        n += perft(g, p, d - 1);
        g.take_back(p, m);
        assert!(*p == before);
    }
    n
}
fn go(name: &str, pos: Option<&str>, counts: &[u64]) {
    let path = format!("{}/../../games/{name}.mg", env!("CARGO_MANIFEST_DIR"));
    let s = lang::Source::new(name, std::fs::read_to_string(path).unwrap());
    let (p, _) = compile(&s, None).unwrap_or_else(|e| match e {
        CompileError::Rules(d) => panic!("{}", d.iter().map(|d| lang::render(&s, d)).collect::<String>()),
        CompileError::Position(e) => panic!("{e}"),
    });
    let g = Interpreter::new(p);
    let mut start = match pos {
        Some(t) => text::read(g.info(), t).unwrap(),
        None => g.info().start.clone().unwrap(),
    };
    for (i, &c) in counts.iter().enumerate() {
        let t = std::time::Instant::now();
        let n = perft(&g, &mut start, i as u32 + 1);
        println!("{name} {} {n} {c} {:?}", i + 1, t.elapsed());
        assert_eq!(n, c);
    }
}
#[test]
fn ttt() {
    go("tictactoe", None, &[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
}
#[test]
fn c4() {
    go("connect4", None, &[7, 49, 343, 2401, 16807, 117649]);
}
#[test]
fn chess() {
    go("chess", None, &[20, 400, 8902, 197281]);
}
#[test]
fn kiwi() {
    go(
        "chess",
        Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        &[48, 2039, 97862],
    );
}
#[test]
fn p4() {
    go("chess", Some("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"), &[6, 264, 9467]);
}
#[test]
fn checkers() {
    go("checkers", None, &[7, 49, 302, 1469, 7361, 36768]);
}
#[test]
fn othello() {
    go("othello", None, &[4, 12, 56, 244, 1396, 8200]);
}
#[test]
fn p15() {
    go("puzzle15", None, &[2, 6]);
}
