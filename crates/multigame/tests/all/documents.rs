//! The commands of README and tutorial do what these pages say: each is run, in a folder with the rules that the page
//! tells the reader to save. So are those of other pages that take a moment only. (That all commands of all pages are
//! understood is asked in `src/cli/documented.rs`.)

#![allow(clippy::unwrap_used)] // tests are free to

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that are not run here, by how they begin: they take long, wait for a reader, or need what the page does not
/// make. Other tests run them with smaller questions.
const NOT_RUN: [&str; 9] = [
    "bench",
    "suite chess wac",
    "match chess",
    "book build",
    "fit chess",
    "learn dobutsu",
    "lab speedup",
    "database build",
    "serve",
];

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)).unwrap()
}

/// The blocks of a page with their marks, such as `sh`.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = page.split("\n```");
    parts.skip(1).step_by(2).map(|part| part.split_once('\n').unwrap())
}

/// Goes through a page as a reader does: saves rules under a name, and runs the commands of `sh` blocks. Returns these
/// with what they have said.
fn follow(page: &str, name: &str, folder: &Path) -> Vec<(String, String)> {
    let mut said = Vec::new();
    for (mark, block) in blocks(page) {
        match mark {
            "mg" => std::fs::write(folder.join(name), block).unwrap(),
            "sh" => {
                let commands = block.lines().filter_map(|line| line.strip_prefix("multigame "));
                let wanted = commands
                    .filter(|command| !NOT_RUN.iter().any(|beginning| command.starts_with(beginning)));
                said.extend(wanted.map(|command| (command.to_owned(), run(command, folder))));
            }
            _ => {}
        }
    }
    said
}

/// What a command prints; at a prompt it is told to quit.
fn run(command: &str, folder: &Path) -> String {
    let words = command.split('#').next().unwrap().split('>').next().unwrap();
    let words = words.replace("~/.local/share/man/man1", "manuals");
    // What stands in quotes is one word.
    let parts = words.split('"').enumerate();
    let words: Vec<&str> = parts
        .flat_map(|(index, part)| if index % 2 == 0 { part.split_whitespace().collect() } else { vec![part] })
        .collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(words)
        .current_dir(folder)
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"quit\n");
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "multigame {command}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn said<'all>(all: &'all [(String, String)], beginning: &str) -> &'all str {
    let found = all.iter().find(|(command, _)| command.starts_with(beginning));
    &found.unwrap_or_else(|| panic!("the page does not say `multigame {beginning}`")).1
}

#[test]
fn the_commands_of_the_readme_work() {
    let folder = tempfile::tempdir().unwrap();
    let all = follow(&page("README.md"), "nim.mg", folder.path());
    assert!(said(&all, "check nim.mg").contains("0 errors, 0 warnings"), "{}", said(&all, "check nim.mg"));
    assert!(said(&all, "test nim.mg").contains("all met"));
    assert!(said(&all, "perft chess --depth 4").contains("197,281"), "{}", said(&all, "perft"));
    assert!(said(&all, "solve tictactoe").contains("draw"));
    assert!(folder.path().join("manuals/multigame.1").exists());
    assert!(all.len() > 15, "only {} commands", all.len());
}

#[test]
fn the_commands_of_the_tutorial_work() {
    let (tutorial, folder) = (page("docs/tutorial.md"), tempfile::tempdir().unwrap());
    let all = follow(&tutorial, "breakfast.mg", folder.path());
    assert!(said(&all, "check").contains("0 errors, 1 warning"), "{}", said(&all, "check"));
    assert!(said(&all, "explore").contains("10,689"), "{}", said(&all, "explore"));
    // The name of a file without its ending is enough where the library has no such game.
    let checked = run("check breakfast", folder.path());
    assert!(checked.contains("0 errors, 0 warnings"), "{checked}");
}

#[test]
fn the_cheap_commands_of_other_pages_work() {
    for (name, least) in [("docs/compiler.md", 6), ("docs/shell.md", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let all = follow(&page(name), "rules.mg", folder.path());
        assert!(all.len() >= least, "{name}: only {} commands", all.len());
    }
}

/// The small ones of the table; they are the same on every machine.
#[test]
fn games_are_solved_with_the_nodes_that_the_page_says() {
    let page = page("docs/benchmarks.md");
    let (_, table) = page.split_once("## Solved games").unwrap();
    let mut solved = 0;
    for line in table.lines().take_while(|line| !line.starts_with("##")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, game, _, nodes, _, command, _] = cells[..] else { continue };
        let name = command.trim_matches('`');
        match nodes.replace(',', "").parse::<u64>() {
            Ok(count) if count < 600_000 && name.chars().all(|one| !" `;".contains(one)) => {}
            _ => continue,
        }
        let said = run(&format!("solve {name} --engine exhaustive --hash 1024"), Path::new("."));
        assert!(
            said.contains(&format!("{nodes} nodes in")),
            "docs/benchmarks.md says {nodes} for {game}:\n{said}"
        );
        solved += 1;
    }
    assert!(solved >= 8, "only {solved} games");
}

/// `scripts/gallery` makes them anew.
#[test]
fn the_pictures_of_the_gallery_are_what_the_program_draws() {
    let gallery = page("docs/gallery.md");
    let names: Vec<&str> =
        gallery.split("pictures/").skip(1).filter_map(|part| part.split(".svg").next()).collect();
    assert!(names.len() > 10, "{names:?}");
    let folder = tempfile::tempdir().unwrap();
    let stale: Vec<&str> = names
        .into_iter()
        .filter(|name| {
            run(&format!("show {name} --svg"), folder.path()) != page(&format!("docs/pictures/{name}.svg"))
        })
        .collect();
    assert!(stale.is_empty(), "scripts/gallery was not run after a change of these: {stale:?}");
}
