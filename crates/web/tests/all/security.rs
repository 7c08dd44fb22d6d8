//! What must not be possible: foreign pages, foreign files, rules that never end, more than there is room for.

#![allow(clippy::unwrap_used)] // tests are free to

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use crate::support::Server;
use serde_json::{Value, json};
use web::{Bounds, Config};

#[test]
fn only_pages_from_here_may_speak() {
    let server = Server::start(Bounds::default(), None);
    assert!(server.get("/", &[]).starts_with("HTTP/1.1 200"));
    assert!(server.get("/", &[("Host", "evil.example")]).starts_with("HTTP/1.1 403"));
    assert!(
        server.get("/", &[("Host", &format!("evil.example:{}", server.port))]).starts_with("HTTP/1.1 403")
    );
    assert!(server.get("/", &[("Origin", "http://evil.example")]).starts_with("HTTP/1.1 403"));
    assert!(server.try_connect("http://evil.example").is_none());
    assert!(server.try_connect("null").is_none());
    assert!(server.try_connect(&format!("http://localhost:{}", server.port)).is_some());
}

#[test]
fn answers_forbid_what_comes_from_elsewhere() {
    let server = Server::start(Bounds::default(), None);
    for path in ["/", "/page/main.js", "/docs/", "/nothing"] {
        let answer = server.get(path, &[]).to_lowercase();
        let head = answer.split("\r\n\r\n").next().unwrap();
        for needed in [
            "content-security-policy: default-src 'none'; script-src 'self'",
            "x-frame-options: deny",
            "nosniff",
        ] {
            assert!(head.contains(needed), "{path} has no {needed}: {head}");
        }
    }
}

#[test]
fn nothing_but_the_page_is_served() {
    let server = Server::start(Bounds::default(), None);
    for path in [
        "/page/../Cargo.toml",
        "/page/..%2f..%2fCargo.toml",
        "/page/%2e%2e/x",
        "/etc/passwd",
        "/docs/..%2fREADME",
    ] {
        let answer = server.get(path, &[]);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
}

#[test]
fn beyond_this_machine_a_token_is_needed() {
    let config = Config { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Config::default() };
    let server = Server::with(config);
    let token = server.address.split_once("token=").expect("the address has a token").1.to_owned();
    assert!(token.len() >= 16);
    assert!(server.get("/", &[]).starts_with("HTTP/1.1 401"));
    assert!(server.get("/?token=wrong", &[]).starts_with("HTTP/1.1 401"));
    let answer = server.get(&format!("/?token={token}"), &[]);
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("HttpOnly; SameSite=Strict"), "{answer}");
    assert!(server.get("/", &[("Cookie", &format!("multigame_token={token}"))]).starts_with("HTTP/1.1 200"));
    assert!(server.try_connect(&format!("http://localhost:{}", server.port)).is_none());
}

#[test]
fn files_stay_in_their_folder() {
    let outer = tempfile::tempdir().unwrap();
    std::fs::write(outer.path().join("secret.mg"), "secret").unwrap();
    let server = Server::with(Config { rules: outer.path().join("rules"), ..Config::default() });
    let mut client = server.connect();
    for name in ["../secret", "/etc/passwd", "..", "a/b", ""] {
        assert!(client.ask(json!({ "read_file": { "name": name } }))["error"].is_string(), "{name}");
        assert!(
            client.ask(json!({ "write_file": { "name": name, "text": "x" } }))["error"].is_string(),
            "{name}"
        );
    }
    assert!(client.ask(json!({ "write_file": { "name": "mine", "text": "players = 1" } }))["ok"].is_object());
    assert_eq!(client.ask(json!({ "read_file": { "name": "mine.mg" } }))["ok"]["text"], "players = 1");
    assert_eq!(client.ask(json!("files"))["ok"], json!(["mine.mg"]));
    assert!(client.ask(json!({ "join": { "game": "../../secret" } }))["error"].is_string());
}

/// Rules that go round in circles.
const ENDLESS: &str = "dimensions (3, 3)\nsides = 1\npieces { mark 'X' 'O' }\nsetup\n{\n...\n...\n...\nwhite to move\n}\n\
    main = find empty field, while nothing do nothing, replace by mark.\n";

/// Rules with more and more ways.
const EXPLODING: &str = "dimensions (3, 3)\nsides = 1\npieces { mark 'X' 'O' }\nproperties { n : move : [0 .. 100000000] }\n\
    setup\n{\n...\n...\n...\nwhite to move\n}\nmain = find empty field, replace by mark, repeat 30 times either assign (n = 2 * n) or \
    assign (n = 2 * n + 1).\n";

#[test]
fn rules_that_never_end_are_told_and_nobody_else_notices() {
    let server = Server::start(Bounds::default(), None);
    let (mut victim, mut other) = (server.connect(), server.connect());
    let asked: Vec<u64> = [ENDLESS, EXPLODING]
        .iter()
        .map(|rules| victim.send(json!({ "ask": { "open": { "rules": rules } } })))
        .collect();
    let (game, _) = other.open(json!({ "name": "tictactoe" }));
    let began = Instant::now();
    other.order(&game, json!({ "play": { "ply": 0, "move": 0 } }));
    assert!(began.elapsed() < Duration::from_secs(2), "another game waits: {:?}", began.elapsed());
    for id in asked {
        let answer = victim.answer(id);
        assert!(answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn there_is_room_for_so_many_games_and_no_more() {
    let server = Server::start(Bounds { tables: 3, rules: 1, ..Bounds::default() }, None);
    let mut client = server.connect();
    for _ in 0..3 {
        client.open(json!({ "name": "tictactoe" }));
    }
    let answer = client.ask(json!({ "open": { "name": "tictactoe" } }));
    assert_eq!((answer["wait"].clone(), answer["error"].is_string()), (json!(true), true), "{answer}");
}

#[test]
fn searches_wait_for_their_turn() {
    let server = Server::start(Bounds { searches: 1, ..Bounds::default() }, None);
    let mut client = server.connect();
    let (first, _) = client.open(json!({ "name": "connect4" }));
    let (second, _) = client.open(json!({ "name": "connect4" }));
    client.send(json!({ "game": first, "do": { "analyse": { "on": true } } }));
    client.wait("analysis", |news| news["depth"].is_i64());
    client.send(json!({ "game": second, "do": { "analyse": { "on": true } } }));
    client.wait("analysis", |news| news["waiting"] == 1);
    client.order(&first, json!("stop"));
    client.news.clear();
    client.wait("analysis", |news| news["depth"].is_i64());
}

#[test]
fn too_long_messages_and_rules_are_refused() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let long = "x".repeat(web::message::RULES_BYTES_MAX + 1);
    for question in ["check", "format"] {
        let answer = client.ask(json!({ question: { "rules": long } }));
        assert!(answer["error"].as_str().unwrap().contains("at most"), "{answer}");
    }
    assert!(client.ask(json!({ "open": { "rules": long } }))["error"].is_string());
    let huge = "x".repeat(web::message::MESSAGE_BYTES_MAX + 1);
    let _ = client.socket.send(tungstenite::Message::text(huge));
    assert!(client.socket.read().is_err(), "the connection is closed");
    let answer = server.connect().ask(json!("library"));
    assert!(answer["ok"].as_array().is_some_and(|games| !games.is_empty()) && answer["error"] == Value::Null);
}

/// Rules that would take gigabytes: a million results, and results that change all of a large board.
const GREEDY: [&str; 2] = [
    "find empty field, replace by man, find empty field, replace by man, find empty field, replace by man.",
    "find empty field, replace by man, find empty field, replace by man, \
     any direction, repeat 0 .. infinity times [ step, replace by man ], \
     any direction, repeat 0 .. infinity times [ step, replace by man ].",
];

fn greedy(main: &str) -> String {
    let rows = format!("{}{}", "mmmmmmmmmmmmmmmmmmmm\n".repeat(10), "....................\n".repeat(10));
    format!("dimensions (20, 20)\npieces {{ man 'M' 'm' }}\nsetup\n{{\n{rows}}}\nmain = {main}")
}

/// The most memory that this process ever took, in megabytes.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib >> 10)
}

#[test]
fn rules_that_want_gigabytes_are_told_and_get_none() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let before = peak();
    for main in GREEDY {
        let answer = client.ask(json!({ "open": { "rules": greedy(main) } }));
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains("results for one position"), "{answer}");
    }
    if let (Some(before), Some(after)) = (before, peak()) {
        println!("greedy rules took {} MB", after - before);
        assert!(after - before < 300, "{before} MB became {after} MB");
    }
}

#[test]
fn a_search_for_a_solution_can_be_stopped() {
    let server = Server::start(Bounds { searches: 1, ..Bounds::default() }, None);
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "puzzle8" }));
    client.order(&game, json!({ "scramble": { "moves": 30 } }));
    for _ in 0..2 {
        let began = Instant::now();
        let asked = client.send(json!({ "game": game, "do": { "solve": { "time": 60_000 } } }));
        std::thread::sleep(Duration::from_millis(100));
        let stopped = client.send(json!({ "game": game, "do": "stop" }));
        assert_eq!(client.answer(asked)["ok"], Value::Null);
        client.answer(stopped);
        // There is room for one search: the next one finds it free.
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
}
