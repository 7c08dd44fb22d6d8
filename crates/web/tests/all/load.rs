//! Under load: many games, searches, a slow reader, one that vanishes, and nonsense. Nothing stops, nothing leaks.

#![allow(clippy::unwrap_used)] // tests are free to

use std::time::{Duration, Instant};

use crate::support::Server;
use serde_json::{Value, json};
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
    // Memory that was freed is kept by the allocator for a while: it must not grow from round to round.
    let mut figures = Vec::new();
    for nonsense in [10_000, 200, 200, 200] {
        load(&server, nonsense);
        let most = figures.iter().skip(1).max().map_or(0, |most| most + GROWTH_MB);
        figures.push(settled(most));
    }
    println!("resident after each round: {figures:?} MB");
    let most = figures[1].max(figures[2]) + GROWTH_MB;
    assert!(figures[3] <= most, "memory grows from round to round: {figures:?} MB");
}

/// Eight searches that were forgotten would take four times as much.
const GROWTH_MB: u64 = 64;

/// Megabytes of memory that this process takes, when tables have had the time to close: as soon as it is little enough.
fn settled(enough: u64) -> u64 {
    let began = Instant::now();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        let megabytes = (pages.unwrap_or(0) * 4096) >> 20;
        let patience = if enough > 0 { 20 } else { 2 };
        if megabytes <= enough || began.elapsed() > Duration::from_secs(patience) {
            return megabytes;
        }
    }
}

fn load(server: &Server, messages: usize) {
    let mut client = server.connect();
    let began = Instant::now();
    let names = ["tictactoe", "breakthrough", "connect4", "awari"];
    let games: Vec<String> =
        (0..200).map(|number| client.open(json!({ "name": names[number % 4], "passing": true })).0).collect();
    println!("200 games opened in {:?}", began.elapsed());

    // Eight searches, watched by one who does not read, and by one who vanishes.
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
    while answered < messages {
        while sent < messages && sent - answered < 100 {
            bad.socket.send(Message::text(nonsense(sent))).unwrap();
            sent += 1;
        }
        if let Message::Text(text) = bad.socket.read().unwrap() {
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert!(answer.get("error").is_some() || answer["ok"]["diagnostics"].is_array(), "{text}");
            answered += 1;
        }
    }
    println!("{messages} bad messages answered after {:?}", began.elapsed());

    // All others play on, and does not wait.
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
