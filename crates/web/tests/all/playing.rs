//! Conversations at tables: what docs/web-protocol.md promises.

#![allow(clippy::unwrap_used)] // tests are free to

use crate::support::Server;
use serde_json::{Value, json};
use web::Bounds;

fn computer(nodes: u64) -> Value {
    json!({ "computer": { "nodes": nodes } })
}

#[test]
fn a_game_is_opened_played_and_answered() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, state) = client.open(json!({ "name": "tictactoe", "players": ["person", computer(200)] }));
    assert_eq!((state["legal"].as_array().unwrap().len(), state["mover"].clone()), (9, json!("white")));
    let answer = client.order(&game, json!({ "play": { "ply": 0, "move": "b2" } }));
    assert_eq!(answer["ok"], Value::Null, "{answer}");
    let state = client.wait("state", |state| state["ply"] == 2);
    assert_eq!(state["legal"].as_array().unwrap().len(), 7);
    let answer = client.order(&game, json!({ "play": { "ply": 0, "move": 0 } }));
    assert!(answer["error"].as_str().unwrap().contains("earlier position"), "{answer}");
    let answer = client.order(&game, json!({ "play": { "ply": 2, "move": "z9" } }));
    assert!(answer["error"].as_str().unwrap().contains("z9"), "{answer}");
}

#[test]
fn moves_say_how_they_are_pointed_at() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let path = |state: &Value, name: &str| {
        let legal = state["legal"].as_array().unwrap();
        let found = legal.iter().find(|choice| choice["name"] == name);
        found.unwrap_or_else(|| panic!("no {name} in {legal:?}"))["path"].clone()
    };
    let (_, state) = client.open(json!({ "name": "chess", "position": "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1" }));
    assert_eq!(path(&state, "e1g1"), json!([4, 6]));
    let queen = state["legal"].as_array().unwrap().iter().find(|choice| choice["name"] == "a7a8q").unwrap();
    assert_eq!((queen["path"].clone(), queen["piece"].is_u64()), (json!([48, 56]), true));
    let (_, state) = client.open(json!({ "name": "awari" }));
    let first: Vec<u64> =
        state["legal"].as_array().unwrap().iter().map(|choice| choice["path"][0].as_u64().unwrap()).collect();
    assert_eq!(first, [0, 1, 2, 3, 4, 5]);
    let (_, state) = client.open(json!({ "name": "morris" }));
    assert_eq!(state["legal"][0]["path"].as_array().unwrap().len(), 1);
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, first) = client.open(json!({ "name": "breakthrough" }));
    client.order(&game, json!({ "play": { "ply": 0, "move": 0 } }));
    client.order(&game, json!({ "play": { "ply": 1, "move": 0 } }));
    client.order(&game, json!({ "take_back": { "to": 0 } }));
    let state = client.wait("state", |state| state["redo"] == 2);
    assert_eq!((state["slots"].clone(), state["ply"].clone()), (first["slots"].clone(), json!(0)));
    client.order(&game, json!({ "forward": { "to": 2 } }));
    let state = client.wait("state", |state| state["ply"] == 2);
    assert_eq!((state["since"].clone(), state["moves"].as_array().unwrap().len()), (json!(0), 2));
}

#[test]
fn positions_are_edited_and_judged() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, state) = client.open(json!({ "name": "breakthrough" }));
    let mut slots: Vec<i64> = serde_json::from_value(state["slots"].clone()).unwrap();
    slots[0] = 99;
    let answer = client.order(&game, json!({ "edit": { "slots": slots, "mover": "white" } }));
    assert!(answer["error"].as_str().unwrap().contains("99"), "{answer}");
    slots[0] = 0;
    client.order(&game, json!({ "edit": { "slots": slots, "mover": "black" } }));
    let state = client.wait("state", |state| state["mover"] == "black");
    assert_eq!(state["slots"][0], 0);
    let answer = client.order(&game, json!({ "edit": { "slots": [1, 2], "mover": "white" } }));
    assert!(answer["error"].is_string());
}

#[test]
fn games_are_saved_and_opened() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "chess", "record": "1. e4 e5 2. Nf3 *" }));
    let pgn = client.order(&game, json!({ "save": { "format": "pgn" } }))["ok"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(pgn.contains("1. e4 e5 2. Nf3"), "{pgn}");
    let text = client.order(&game, json!({ "save": { "format": "text" } }))["ok"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    for record in [pgn, text] {
        let (_, state) = client.open(json!({ "name": "chess", "record": record }));
        assert_eq!((state["ply"].clone(), state["moves"][2]["name"].clone()), (json!(3), json!("Nf3")));
    }
    let answer = client.ask(json!({ "open": { "name": "chess", "record": "1. e5 *" } }));
    assert!(answer["error"].as_str().unwrap().contains("e5"), "{answer}");
}

#[test]
fn a_position_is_analysed_until_it_is_stopped() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "connect4" }));
    let analysis = client.send(json!({ "game": game, "do": { "analyse": { "on": true, "lines": 2 } } }));
    client.wait("analysis", |news| news["rank"] == 2 && news["depth"].as_i64() > Some(1));
    let off = client.send(json!({ "game": game, "do": { "analyse": { "on": false } } }));
    assert_eq!(client.answer(analysis)["ok"], Value::Null);
    assert!(client.answer(off).get("error").is_none());
    let tree = client.order(&game, json!({ "tree": { "depth": 3 } }));
    assert!(!tree["ok"]["below"].as_array().unwrap().is_empty(), "{tree}");
    let (root, son) = (&tree["ok"], &tree["ok"]["below"][0]);
    // The second line is searched without the first move of the first.
    assert!(root["moves"] == 6 || root["moves"] == 7, "{tree}");
    assert_eq!(root["kind"], "principal", "{tree}");
    assert!(son["window"].is_array() && son["cut"].is_boolean() && son["searched"].is_number(), "{tree}");
}

#[test]
fn a_game_is_reviewed_counted_and_played_at_random() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "tictactoe", "record": "b2\nb1\n" }));
    let answer = client.order(&game, json!({ "review": { "nodes": 2000 } }));
    assert_eq!(answer["ok"]["judged"], 3, "{answer}");
    let answer = client.order(&game, json!({ "perft": { "depth": 2 } }));
    assert_eq!(answer["ok"]["counts"][1]["leaves"], 42);
    let answer = client.order(&game, json!({ "random_games": { "games": 50 } }));
    let games = &answer["ok"];
    let sum: u64 = ["white", "black", "draws"].iter().map(|key| games[key].as_u64().unwrap()).sum();
    assert_eq!((sum, games["games"].clone()), (50, json!(50)));
}

#[test]
fn games_of_others_are_found_by_position() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Bounds::default(), Some(folder.path()));
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "chess", "record": "1. e4 *" }));
    let text = "[Event \"A\"]\n[White \"X\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Event \"B\"]\n\n1. e4 c5 0-1\n\n[Event \"C\"]\n\n1. Kd5 *\n";
    let answer = client.order(&game, json!({ "import": { "text": text } }));
    assert_eq!(
        (answer["ok"]["added"].clone(), answer["ok"]["wrong"].clone()),
        (json!(2), json!(1)),
        "{answer}"
    );
    let found = client.order(&game, json!({ "explore": { "ply": 1 } }))["ok"].clone();
    let names: Vec<&str> =
        found["moves"].as_array().unwrap().iter().map(|own| own["move"].as_str().unwrap()).collect();
    assert_eq!(names, ["c5", "e5"], "{found}");
    let text = client.order(&game, json!({ "known_game": { "id": found["games"][0]["id"] } }));
    let (_, state) = client.open(json!({ "name": "chess", "record": text["ok"]["text"] }));
    assert_eq!(state["ply"], 3);
    assert!(client.order(&game, json!({ "known_game": { "id": 99 } }))["error"].is_string());
}

#[test]
fn who_gives_up_or_has_no_time_loses() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "tictactoe" }));
    client.order(&game, json!({ "resign": { "side": "white" } }));
    let state = client.wait("state", |state| state["over"].is_object());
    assert_eq!(state["over"]["winner"], "black");
    let clock = json!({ "base": 1000, "increment": 0 });
    let (game, _) = client.open(json!({ "name": "tictactoe", "clock": clock }));
    let state = client.wait("state", |state| state["over"].is_object());
    assert_eq!(state["over"]["words"], "White has no time left.");
    let answer = client.order(&game, json!({ "play": { "ply": 0, "move": 0 } }));
    assert_eq!(answer["error"], "the game is over");
}

#[test]
fn two_front_ends_see_the_same_game() {
    let server = Server::start(Bounds::default(), None);
    let (mut one, mut two) = (server.connect(), server.connect());
    let (game, _) = one.open(json!({ "name": "tictactoe" }));
    assert!(two.ask(json!({ "join": { "game": game } }))["ok"].is_object());
    one.order(&game, json!({ "play": { "ply": 0, "move": 4 } }));
    assert_eq!(two.wait("state", |_| true)["ply"], 1);
    two.ask(json!({ "leave": { "game": game } }));
    one.order(&game, json!({ "play": { "ply": 1, "move": 0 } }));
    assert!(two.news.is_empty());
}

#[test]
fn a_stopped_server_says_so_and_games_go_on_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Bounds::default(), Some(folder.path()));
    let mut client = server.connect();
    let (game, _) = client.open(json!({ "name": "breakthrough" }));
    client.order(&game, json!({ "play": { "ply": 0, "move": 3 } }));
    let before = client.wait("state", |state| state["ply"] == 1);
    let rules = "dimensions (2, 2)\nsides = 1\npieces { mark 'X' 'O' }\nsetup\n{\n..\n..\nwhite to move\n}\nmain = try [ find empty field, replace by mark ] else draw.\n";
    let (own, _) = client.open(json!({ "rules": rules }));
    client.order(&own, json!({ "play": { "ply": 0, "move": 0 } }));
    std::thread::scope(|scope| {
        scope.spawn(move || drop(server));
        assert!(client.wait("closing", |_| true)["words"].as_str().unwrap().contains("kept"));
    });
    let server = Server::start(Bounds::default(), Some(folder.path()));
    let mut client = server.connect();
    let kept = client.ask(json!("kept"));
    assert_eq!(kept["ok"].as_array().unwrap().len(), 2, "{kept}");
    let answer = client.ask(json!({ "join": { "game": game } }));
    assert_eq!(answer["ok"]["state"]["slots"], before["slots"], "{answer}");
    assert_eq!(answer["ok"]["state"]["moves"], before["moves"]);
    let answer = client.ask(json!({ "join": { "game": own } }));
    assert_eq!(answer["ok"]["state"]["ply"], 1, "{answer}");
    client.ask(json!({ "forget": { "game": game } }));
    client.ask(json!({ "leave": { "game": game } }));
}

#[test]
fn rules_are_checked_formatted_and_completed() {
    let server = Server::start(Bounds::default(), None);
    let mut client = server.connect();
    let wrong = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = fnd empty field.";
    let answer = client.ask(json!({ "check": { "rules": wrong } }));
    let first = &answer["ok"]["diagnostics"][0];
    assert_eq!((first["line"].clone(), first["fix"].clone()), (json!(3), json!("find")), "{answer}");
    let answer = client.ask(json!({ "format": { "rules": "main=find empty field." } }));
    assert_eq!(answer["ok"]["rules"], "main = find empty field.\n");
    let answer = client.ask(json!({ "complete": { "rules": "main = fin", "at": 10 } }));
    assert_eq!(answer["ok"]["words"][0]["word"], "find");
    let answer = client.ask(json!({ "open": { "rules": wrong } }));
    assert!(answer["error"].as_str().unwrap().contains("fnd"), "{answer}");
}
