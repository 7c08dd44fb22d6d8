//! Under load: many games, searches, a slow reader, one that vanishes, and nonsense. Nothing stops, nothing leaks.

#![allow(clippy::unwrap_used)] // tests are free to

mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::Server;
use tungstenite::Message;
use web::Bounds;

/// Texts that are no messages, some of them nearly.
fn nonsense(number: usize) -> String {
    let texts = [
        "".to_owned(),
        "{".to_owned(),
        "null".to_owned(),
        "[1,2,3]".to_owned(),
        format!("{{\"id\":{number}}}"),
        format!("{{\"id\":{number},\"ask\":\"everything\"}}"),
        format!("{{\"id\":{number},\"ask\":{{\"open\":{{\"name\":\"nonsense\"}}}}}}"),
        format!("{{\"id\":{number},\"ask\":{{\"open\":{{\"unknown\":1}}}}}}"),
        format!("{{\"id\":{number},\"game\":\"x\",\"do\":\"hint\"}}"),
        format!("{{\"id\":{number},\"game\":\"x\",\"do\":{{\"play\":{{\"ply\":-1,\"move\":0}}}}}}"),
        format!("{{\"id\":-{number}}}"),
        format!("{{\"id\":{number},\"ask\":{{\"check\":{{\"rules\":\"{}\"}}}}}}", "[".repeat(number % 500)),
        "\u{0}\u{1}😀".to_owned(),
        "[".repeat(5_000),
    ];
    texts[number % texts.len()].clone()
}

#[test]
fn two_hundred_games_eight_searches_and_bad_company() {
    let server = Server::start(Bounds { tables: 256, searches: 8, ..Bounds::default() }, None);
    let mut client = server.connect();
    let began = Instant::now();
    let names = ["tictactoe", "breakthrough", "connect4", "awari"];
    let games: Vec<String> =
        (0..200).map(|number| client.open(json!({ "name": names[number % 4] })).0).collect();
    println!("200 games opened in {:?}", began.elapsed());

    // Eight searches, watched by somebody who does not read, and by somebody who vanishes.
    let (mut slow, mut vanishing) = (server.connect(), server.connect());
    for game in &games[..8] {
        slow.send(json!({ "ask": { "join": { "game": game } } }));
        vanishing.send(json!({ "ask": { "join": { "game": game } } }));
        slow.send(json!({ "game": game, "do": { "analyse": { "on": true, "lines": 4 } } }));
    }
    drop(vanishing);

    // Nonsense, each piece of it answered.
    let mut bad = server.connect();
    let (mut sent, mut answered) = (0, 0);
    while answered < 10_000 {
        while sent < 10_000 && sent - answered < 100 {
            bad.socket.send(Message::text(nonsense(sent))).unwrap();
            sent += 1;
        }
        if let Message::Text(text) = bad.socket.read().unwrap() {
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert!(answer.get("error").is_some() || answer["ok"]["diagnostics"].is_array(), "{text}");
            answered += 1;
        }
    }
    println!("10,000 bad messages answered after {:?}", began.elapsed());

    // Everybody else plays on, and does not wait.
    let mut worst = Duration::ZERO;
    for game in games.iter().skip(8).step_by(7) {
        let began = Instant::now();
        let answer = client.order(game, json!({ "play": { "ply": 0, "move": 0 } }));
        assert!(answer.get("error").is_none(), "{answer}");
        worst = worst.max(began.elapsed());
    }
    println!("the slowest of {} moves took {worst:?}", games.len() / 7);
    assert!(worst < Duration::from_secs(2), "a move took {worst:?}");
    client.news.clear();
    drop((slow, bad));
    for game in &games {
        assert!(client.order(game, json!("stop")).get("error").is_none());
    }
    // Room is given back: searches find their place again.
    let answer = client.order(&games[100], json!("hint"));
    assert!(answer["ok"]["line"].is_array(), "{answer}");
}

#[test]
fn who_leaves_takes_unkept_games_along() {
    let server = Server::start(Bounds { tables: 4, ..Bounds::default() }, None);
    for _ in 0..5 {
        let mut client = server.connect();
        for _ in 0..4 {
            let opened = Instant::now();
            // The tables of the one before are being cleared.
            loop {
                let answer = client.ask(json!({ "open": { "name": "tictactoe", "passing": true } }));
                if answer["ok"].is_object() {
                    break;
                }
                assert!(answer["wait"] == true && opened.elapsed() < Duration::from_secs(5), "{answer}");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
