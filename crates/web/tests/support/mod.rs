//! A server on a thread of its own and front ends that speak with it. Games are interpreted.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "tests are free to; each file uses a part"
)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use game::{Game, MoveList, RuleFault, Stage};
use lang::{Diagnostic, Source};
use rules::{CompileError, Interpreter};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};
use web::host::{Checked, Host, Listing, Solved, Work};
use web::{Bounds, Config};

macro_rules! library {
    ($($name:literal),*) => {
        const LIBRARY: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../../games/", $name, ".mg")))),*];
    };
}
library!(
    "tictactoe",
    "breakthrough",
    "puzzle8",
    "connect4",
    "awari",
    "minishogi",
    "morris",
    "checkers",
    "chess"
);

/// Some games of the library, interpreted.
pub struct Interpreted;

impl Host for Interpreted {
    fn library(&self) -> Vec<Listing> {
        let entry = |(name, _): &(&str, &str)| Listing {
            name: (*name).to_owned(),
            title: (*name).to_owned(),
            family: "Games".to_owned(),
            summary: String::new(),
            origin: String::new(),
        };
        LIBRARY.iter().map(entry).collect()
    }

    fn source(&self, name: &str) -> Option<String> {
        LIBRARY.iter().find(|(own, _)| *own == name).map(|(_, text)| (*text).to_owned())
    }

    fn check(&self, text: &str) -> Result<Checked, Vec<Diagnostic>> {
        match rules::compile(&Source::new("rules", text), None) {
            Ok((program, warnings)) => Ok(Checked { info: program.info, setups: program.setups, warnings }),
            Err(CompileError::Rules(found)) => Err(found),
            Err(CompileError::Position(_)) => Err(Vec::new()),
        }
    }

    fn with_game<W: Work>(&self, text: &str, work: W) -> Result<W::Result, String> {
        match rules::compile(&Source::new("rules", text), None) {
            Ok((mut program, _)) => {
                program.room = rules::limits::Room::SMALL;
                Ok(work.run(&Interpreter::new(program)))
            }
            Err(CompileError::Rules(found)) => Err(found.iter().map(|one| one.message.clone()).collect()),
            Err(CompileError::Position(error)) => Err(error.to_string()),
        }
    }

    fn solve<G: Game>(&self, game: &G, position: &G::Position, time: Duration) -> Result<Solved, RuleFault> {
        let mut legal = MoveList::new();
        game.generate(position, Stage::All, &mut legal)?;
        let won = legal.iter().find(|played| played.head.outcome().is_some());
        // What is not solved at once is thought about for as long as allowed.
        let began = Instant::now();
        while won.is_none() && began.elapsed() < time && !game::stopping::is_requested() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(Solved { moves: won.map(|played| vec![played.to_move()]), proven: false, nodes: 1 })
    }

    fn documents(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("tutorial", "# First steps\n\nSee [the language](language.md).\n"),
            ("language", "# The language\n"),
        ]
    }

    fn picture(&self, name: &str) -> Option<&'static [u8]> {
        (name == "dot.png").then_some(&[0x89, b'P', b'N', b'G'])
    }
}

/// A running server; it ends when this is dropped.
pub struct Server {
    pub port: u16,
    pub address: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(bounds: Bounds, games: Option<&Path>) -> Server {
        Server::with(Config {
            bounds,
            games: games.map(Path::to_owned),
            rules: std::env::temp_dir(),
            ..Config::default()
        })
    }

    pub fn with(config: Config) -> Server {
        let (told, address) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let started = |address: &str| told.send(address.to_owned()).unwrap();
            let stopped = async {
                let _ = stopped.await;
            };
            web::serve(Interpreted, &config, started, stopped).unwrap();
        });
        let address = address.recv_timeout(Duration::from_secs(10)).unwrap();
        let port = address.trim_start_matches("http://").split(['/', '?']).next().unwrap();
        let port = port.rsplit_once(':').unwrap().1.parse().unwrap();
        Server { port, address, stop: Some(stop), thread: Some(thread) }
    }

    pub fn connect(&self) -> Client {
        Client {
            socket: self.try_connect(&format!("http://localhost:{}", self.port)).unwrap(),
            next: 1,
            news: Vec::new(),
        }
    }

    /// A WebSocket that says it was opened by a page from `origin`.
    pub fn try_connect(&self, origin: &str) -> Option<WebSocket<TcpStream>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let request = tungstenite::http::Request::builder()
            .uri(format!("ws://localhost:{}/socket", self.port))
            .header("Host", format!("localhost:{}", self.port))
            .header("Origin", origin)
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", tungstenite::handshake::client::generate_key());
        tungstenite::client(request.body(()).unwrap(), stream).ok().map(|(socket, _)| socket)
    }

    /// The answer to a plain request, head and body.
    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let host = format!("localhost:{}", self.port);
        let mut request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {host}\r\n"));
        }
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A front end.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    next: u64,
    pub news: Vec<Value>,
}

impl Client {
    pub fn send(&mut self, mut message: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        message["id"] = json!(id);
        self.socket.send(Message::text(message.to_string())).unwrap();
        id
    }

    fn read(&mut self) -> Value {
        loop {
            match self.socket.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Close(_) => panic!("the server closed the connection"),
                _ => {}
            }
        }
    }

    /// The answer to a message, `ok` or `error`; news, and answers that overtook it, are put aside.
    pub fn answer(&mut self, id: u64) -> Value {
        if let Some(index) = self.news.iter().position(|message| message["id"] == id) {
            return self.news.remove(index);
        }
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
            self.news.push(message);
        }
    }

    pub fn ask(&mut self, question: Value) -> Value {
        let id = self.send(json!({ "ask": question }));
        self.answer(id)
    }

    pub fn order(&mut self, game: &str, order: Value) -> Value {
        let id = self.send(json!({ "game": game, "do": order }));
        self.answer(id)
    }

    /// Opens a game and returns its name and state.
    pub fn open(&mut self, opening: Value) -> (String, Value) {
        let answer = self.ask(json!({ "open": opening }));
        let opened = &answer["ok"];
        assert!(opened.is_object(), "{answer}");
        (opened["game"].as_str().unwrap().to_owned(), opened["state"].clone())
    }

    /// Waits for news of a kind that fit.
    pub fn wait(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let found = self.news.iter().position(|news| news["event"] == kind && fits(&news["value"]));
            if let Some(index) = found {
                let value = self.news[index]["value"].clone();
                // News before it are old; answers are still wanted.
                let old = self.news.drain(..=index).filter(|message| message["id"].is_u64());
                let answers: Vec<Value> = old.collect();
                self.news.splice(..0, answers);
                return value;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "no `{kind}` came");
            let message = self.read();
            self.news.push(message);
        }
    }
}
