//! `multigame learn`, and playing with what was learned, as people and scripts see them.

#![allow(clippy::unwrap_used)] // tests are free to

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use network::samples::{self, Samples};
use network::{Inputs, Network};
use serde_json::Value;

/// A small game: three in a row on a board of four by four, where marks fall.
const RULES: &str = "\
dimensions (4, 4)
sides = 1
pieces { mark 'X' 'O' }
setup
{
    ....
    ....
    ....
    ....
    white to move
}
main = try new_mark else draw.
new_mark = irreversible, find empty field, not [ south, step, points at empty field ], replace by mark,
    try [ three_in_a_row, win ].
three_in_a_row = test [ any direction, optionally [ step, points at own mark ],
        repeat 2 times [ step backward, points at own mark ] ].
";

fn run(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).env("XDG_DATA_HOME", data).args(arguments).output().unwrap()
}

fn succeed(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

fn refuse(data: &Path, arguments: &[&str]) -> String {
    let output = run(data, arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(!told.contains("panicked"), "{told}");
    told
}

const SMALL: [&str; 14] = [
    "--games",
    "60",
    "--nodes",
    "40",
    "--width",
    "16",
    "--hidden",
    "4",
    "--patterns",
    "2",
    "--epochs",
    "3",
    "--test-games",
    "40",
];

#[test]
fn learning_goes_on_after_a_stop_and_gives_the_same_network() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("small.mg"), RULES).unwrap();
    let learn = |folder: &str, output: &str, more: &[&str]| {
        let (rules, folder, output) = (at("small.mg"), at(folder), at(output));
        let mut arguments = vec!["learn", &rules, "--folder", &folder, "--output", &output, "--json"];
        arguments.extend(SMALL);
        arguments.extend(more);
        succeed(data.path(), &arguments)
    };
    let told = learn("whole", "whole.mgn", &["--generations", "2", "--threads", "2"]);
    let rows: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{told}");
    assert!(
        rows.iter().all(|row| row["positions"].as_u64() > Some(100) && row["loss"].is_number()),
        "{told}"
    );
    // Many small pieces of time, and then the rest.
    for _ in 0..6 {
        learn("pieces", "pieces.mgn", &["--generations", "2", "--threads", "1", "--time", "0.02"]);
    }
    learn("pieces", "pieces.mgn", &["--generations", "2", "--threads", "1"]);
    for file in ["games-000.mgs", "network-000.mgn", "games-001.mgs", "network-001.mgn", "trainer.bin"] {
        let [whole, pieces] =
            ["whole", "pieces"].map(|folder| std::fs::read(at(&format!("{folder}/{file}"))).unwrap());
        assert!(whole == pieces, "{file} differs");
    }
    let (rules, folder, output) = (at("small.mg"), at("whole"), at("x.mgn"));
    let told =
        refuse(data.path(), &["learn", &rules, "--folder", &folder, "--output", &output, "--nodes", "7"]);
    assert!(told.contains("--restart"), "{told}");
    std::fs::write(at("whole/state.json"), "{").unwrap();
    let mut arguments = vec!["learn", &rules, "--folder", &folder, "--output", &output];
    arguments.extend(SMALL);
    assert!(refuse(data.path(), &arguments).contains("damaged"));
}

#[test]
fn networks_are_used_or_refused_with_a_reason() {
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(at("small.mg"), RULES).unwrap();
    let (rules, samples) = (at("small.mg"), at("positions.mgs"));
    let told =
        succeed(data.path(), &["learn", &rules, "--samples", &samples, "--games", "20", "--nodes", "30"]);
    assert!(told.contains("20 games"), "{told}");
    assert!(std::fs::read(&samples).unwrap().starts_with(b"mgsample"));
    let (folder, network) = (at("state"), at("own.mgn"));
    let mut arguments =
        vec!["learn", &rules, "--folder", &folder, "--output", &network, "--generations", "1"];
    arguments.extend(SMALL);
    succeed(data.path(), &arguments);
    // Whether it was taken or not, it is there.
    let file = at("state/network-000.mgn");
    let judged = format!("network:{file}");
    let search = |rules: &str, evaluation: &str| {
        run(data.path(), &["search", rules, "--depth", "4", "--json", "--evaluation", evaluation])
    };
    let found = search(&rules, &judged);
    assert_eq!(found.status.code(), Some(0), "{}", String::from_utf8_lossy(&found.stderr));
    let plain = search(&rules, "none");
    assert_ne!(found.stdout, plain.stdout);
    let interpreted = succeed(
        data.path(),
        &["search", &rules, "--depth", "4", "--json", "--evaluation", &judged, "--generator", "interpreter"],
    );
    let last = |text: &str| -> Value { serde_json::from_str(text.lines().last().unwrap()).unwrap() };
    assert_eq!(last(&interpreted)["nodes"], last(&String::from_utf8(found.stdout).unwrap())["nodes"]);
    let refuse = |rules: &str, evaluation: &str| {
        refuse(data.path(), &["search", rules, "--depth", "2", "--evaluation", evaluation])
    };
    assert!(refuse("tictactoe", "network").contains("multigame learn tictactoe"));
    assert!(refuse("tictactoe", &judged).contains("other rules"));
    assert!(refuse("puzzle15", "network").contains("not a game for two"));
    assert!(refuse("native:chess", "network").contains("written by hand"));
    assert!(refuse(&rules, "netwrok").contains("network"));
    assert!(refuse(&rules, "network:/no/such/file").contains("cannot open"));
    let bytes = std::fs::read(&file).unwrap();
    for (name, bytes, reason) in [
        ("short.mgn", bytes[..bytes.len() / 2].to_vec(), "cut short"),
        ("empty.mgn", Vec::new(), "no network"),
        (
            "altered.mgn",
            bytes.iter().enumerate().map(|(place, byte)| byte ^ u8::from(place == 500)).collect(),
            "damaged",
        ),
    ] {
        std::fs::write(at(name), bytes).unwrap();
        let told = refuse(&rules, &format!("network:{}", at(name)));
        assert!(told.contains(reason), "{name}: {told}");
    }
    let pair = ["--first", &format!("evaluation={judged}"), "--second", "evaluation=none"];
    let mut arguments = vec!["match", &rules, "--nodes", "50", "--games", "4"];
    arguments.extend(pair);
    assert!(succeed(data.path(), &arguments).contains("against"));
    assert!(
        String::from_utf8_lossy(&run(data.path(), &["learn", "native:chess"]).stderr)
            .contains("written by hand")
    );
}

/// Rules that change leave their network behind: it has to be learned anew, or the change taken back.
#[test]
fn networks_that_come_with_the_program_belong_to_its_rules() {
    let data = tempfile::tempdir().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../networks");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let networks = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "mgn"));
    let games: Vec<&str> = networks.map(|file| file.file_stem().unwrap().to_str().unwrap()).collect();
    assert!(games.len() >= 15, "{games:?}");
    for game in games {
        succeed(data.path(), &["search", game, "--nodes", "20", "--evaluation", "network"]);
    }
}

/// Where Python and numpy are: the networks that `scripts/train` writes can be read, and say what it says.
#[test]
fn networks_of_the_script_are_read() {
    let numpy = Command::new("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let at = |name: &str| data.path().join(name).to_str().unwrap().to_owned();
    let (file, positions, network) = (at("small.mg"), at("positions.mgs"), at("own.mgn"));
    std::fs::write(&file, RULES).unwrap();
    succeed(data.path(), &["learn", &file, "--samples", &positions, "--games", "20", "--nodes", "30"]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/train");
    let arguments =
        [script, &positions, "--output", &network, "--untrained", "--width", "32", "--patterns", "2"];
    let output = Command::new("python3").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    let expected: f64 = told.lines().last().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    let (program, _) = rules::compile(&lang::Source::new("small", RULES), None).unwrap();
    let alike = rules::players_are_alike(&program);
    let symmetries = rules::symmetries(&program);
    let inputs = Inputs::new(&program.info, alike).with_patterns(&program.info, alike, &symmetries);
    let inputs = Arc::new(inputs);
    let fingerprint = lang::fingerprint(RULES);
    let name = &program.info.name;
    let fingerprints = (fingerprint, u64::from(estimate::VERSION));
    let header = samples::header(&inputs, "small", fingerprints);
    let mut all = Samples::new(Arc::clone(&inputs));
    all.add(&std::fs::read(&positions).unwrap()[header.len()..]);
    let network = Network::read(&std::fs::read(&network).unwrap(), name, fingerprints, inputs).unwrap();
    let (steps, known) = (all.steps(0), all.known(0));
    let fill = |into: &mut Vec<i32>| into.extend(steps.iter().map(|&step| i32::from(step)));
    let found = network.evaluate(known.mover, known.plain, fill);
    assert!((f64::from(found) - expected).abs() < 3.0, "{found} {expected}");
}
