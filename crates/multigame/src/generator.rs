//! From the name of a game to something that generates its moves. This is the one place that knows which
//! generators there are: commands are written for any [`Game`].

use std::fmt;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use game::{Erased, Game, GameInfo, Position};
use lang::Source;
use lang::diagnostic::{did_you_mean, nearest};
use protocol::dialect::{read_numbered, read_position};
use rules::{CompileError, Interpreter, Program};

use crate::cli::{GameChoice, Generator};
use crate::{files, library, terminal};

/// What a command does with a game, whatever generates its moves.
pub(crate) trait Work {
    /// What comes out.
    type Result;

    /// Does it, from this position.
    fn run<G: Game>(self, game: &G, start: Position) -> Result<Self::Result>;
}

/// What is known of a game before its moves can be generated.
pub(crate) struct Rules {
    /// The text of the rules, or the name of a hand-written game.
    pub(crate) text: String,
    /// The rules themselves; none of a hand-written game.
    pub(crate) program: Option<Program>,
    /// Where to start.
    pub(crate) start: Position,
}

/// Work that is not told which game it is. It is compiled once for all games that come in this way; what they lose is a
/// few per cent.
struct Untold<W>(W);

impl<W: Work> Work for Untold<W> {
    type Result = W::Result;

    fn run<G: Game>(self, game: &G, start: Position) -> Result<W::Result> {
        self.0.run(&Erased::new(game), start)
    }
}

/// Opens a game and works with it; hand-written games at their full speed. What is worked with is compiled for each of
/// them, so this is for short code such as counting.
pub(crate) fn with_game<W: Work>(choice: &GameChoice, work: W) -> Result<W::Result> {
    match choice.game.strip_prefix("native:") {
        Some(name) => with_native(name, choice, |_| Ok(work)),
        None => with_text(choice, |_| Ok(work)),
    }
}

/// Opens a game and works with it, as its rules suggest. Hand-written games come behind one type, so that searches are
/// not compiled for each of them.
pub(crate) fn with_rules<W: Work>(
    choice: &GameChoice,
    prepare: impl FnOnce(&Rules) -> Result<W>,
) -> Result<W::Result> {
    match choice.game.strip_prefix("native:") {
        Some(name) => with_native(name, choice, |rules| prepare(rules).map(Untold)),
        None => with_text(choice, prepare),
    }
}

/// Opens a game for work that takes a moment, or does not generate moves at all: every game comes behind the same type.
pub(crate) fn with_any<W: Work>(choice: &GameChoice, work: W) -> Result<W::Result> {
    with_rules(choice, |_| Ok(Untold(work)))
}

/// Compiles rules that say where they start, for work of that kind.
pub(crate) fn with_program<W: Work>(program: Program, work: W) -> Result<W::Result> {
    let start = program.info.start.clone().context("the rules have no `setup`")?;
    with_compiled(program, start, jit::Options::default(), Untold(work))
}

fn with_text<W: Work>(choice: &GameChoice, prepare: impl FnOnce(&Rules) -> Result<W>) -> Result<W::Result> {
    let source = find_rules(&choice.game)?;
    let position = choice.position.as_deref().map(PositionArgument::read).transpose()?;
    let program = compile(&source, position.as_ref())?;
    let mut start = start(&program.info, position.as_ref(), &choice.game)?;
    if let Some(given) = &position {
        let judge = Interpreter::new(program.clone());
        start = judge.admit(start).map_err(|error| given.wrong(&error.message))?;
    }
    let rules = Rules { text: source.text, program: Some(program), start };
    let work = prepare(&rules)?;
    let Rules { program: Some(program), start, .. } = rules else { unreachable!("it was just put there") };
    match choice.generator {
        Generator::Interpreter => Untold(work).run(&Interpreter::new(program), start),
        Generator::Jit => with_compiled(program, start, jit::Options::default(), work),
    }
}

/// Opens a game of the library that is compiled with some things switched off.
pub(crate) fn with_options<W: Work>(name: &str, options: jit::Options, work: W) -> Result<W::Result> {
    let program = compile(&find_rules(name)?, None)?;
    let start = start(&program.info, None, name)?;
    with_compiled(program, start, options, work)
}

/// Compiles rules with room for their positions, in a few sizes. All that is done with a game is compiled for each of
/// them, which makes it fast and the build long: what is built to be tested has fewer.
pub(crate) fn with_compiled<W: Work>(
    program: Program,
    start: Position,
    options: jit::Options,
    work: W,
) -> Result<W::Result> {
    fn run<const WORDS: usize, W: Work>(
        prepared: jit::Prepared,
        start: Position,
        work: W,
    ) -> Result<W::Result> {
        match jit::Compiled::<WORDS>::of(&prepared) {
            Ok(game) => {
                drop(prepared);
                work.run(&game, start)
            }
            Err(error) => {
                let program = prepared.into_plain();
                let name = &program.info.name;
                let _ =
                    writeln!(anstream::stderr(), "`{name}` is not compiled ({}): interpreting", error.reason);
                Untold(work).run(&Interpreter::new(program), start)
            }
        }
    }
    let prepared = jit::Prepared::new(program, options);
    match prepared.words() {
        #[cfg(not(test))]
        0..=16 => run::<16, W>(prepared, start, work),
        #[cfg(not(any(test, debug_assertions)))]
        17..=32 => run::<32, W>(prepared, start, work),
        #[cfg(not(test))]
        17..=64 => run::<64, W>(prepared, start, work),
        0..=128 => run::<128, Untold<W>>(prepared, start, Untold(work)),
        _ => run::<1024, Untold<W>>(prepared, start, Untold(work)),
    }
}

/// The hand-written games.
const NATIVE: [&str; 8] =
    ["chess", "checkers", "othello", "connect4", "puzzle15", "puzzle24", "doubleblank", "rubik"];

fn with_native<W: Work>(
    name: &str,
    choice: &GameChoice,
    prepare: impl FnOnce(&Rules) -> Result<W>,
) -> Result<W::Result> {
    let position = choice.position.as_deref().map(PositionArgument::read).transpose()?;
    let from = |info: &GameInfo| start(info, position.as_ref(), &choice.game);
    macro_rules! run {
        ($game:expr) => {{
            let game = $game;
            let start = from(game.info())?;
            game.accepts(&start).map_err(|error| anyhow!("--position: {error}"))?;
            let rules = Rules { text: format!("native:{name}"), program: None, start };
            prepare(&rules)?.run(&game, rules.start)
        }};
    }
    match name {
        "chess" => run!(native::NativeChess::new()),
        "checkers" => run!(native::NativeCheckers::new()),
        "othello" => run!(native::NativeOthello::new()),
        "connect4" => run!(native::NativeConnect4::new()),
        "puzzle15" => run!(native::NativeSliding::<4, 1>::new()),
        "puzzle24" => run!(native::NativeSliding::<5, 1>::new()),
        "doubleblank" => run!(native::NativeSliding::<4, 2>::new()),
        "rubik" => run!(native::NativeCube::new()),
        _ => bail!("there is no hand-written game `{name}`: there are native:{}", NATIVE.join(", native:")),
    }
}

/// Rules that cannot run: the diagnostics, ready to be shown.
#[derive(Debug)]
pub(crate) struct WrongRules(String);

impl fmt::Display for WrongRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for WrongRules {}

/// The rules with this name: of the library, or in a file.
pub(crate) fn find_rules(name: &str) -> Result<Source> {
    if let Some(source) = library::source(name) {
        return Ok(source);
    }
    let path = Path::new(name);
    let looks_like_a_path = name == "-" || name.contains(['/', '\\']) || path.extension().is_some();
    if looks_like_a_path || path.exists() {
        let name = if name == "-" { "standard input" } else { name };
        let near = (name != "standard input" && !path.exists()).then(|| file_like(path)).flatten();
        let text = files::read_text(path).map_err(|error| match &near {
            Some(near) => anyhow::anyhow!("{error:#}; did you mean `{near}`?"),
            None => error,
        })?;
        return Ok(Source::new(name, text));
    }
    // `multigame new mygame` wrote `mygame.mg`; its name alone is enough.
    let file = format!("{name}.mg");
    if Path::new(&file).is_file() {
        return find_rules(&file);
    }
    let names = library::names();
    let hint = did_you_mean(name, names.iter().copied())
        .unwrap_or_else(|| format!("there are {}; or give a path to a file of rules", names.join(", ")));
    bail!("there is no game `{}`: {hint}", name.chars().take(60).collect::<String>())
}

/// So many files of a folder are looked at for one that was meant.
const FILES_MAX: usize = 500;

/// The file of rules in the same folder that a path may have meant.
fn file_like(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = std::fs::read_dir(shown).ok()?.take(FILES_MAX);
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let rules: Vec<String> = names.filter(|name| name.ends_with(".mg")).collect();
    let near = nearest(path.file_name()?.to_str()?, rules.iter().map(String::as_str))?;
    Some(folder.join(near).display().to_string())
}

/// What `--position` says.
struct PositionArgument {
    text: String,
    /// The argument, if it was the name of a file.
    file: Option<String>,
    /// Which of the positions of the file, from 1, if it has several.
    number: Option<usize>,
}

impl PositionArgument {
    fn read(argument: &str) -> Result<PositionArgument> {
        let path = Path::new(argument);
        if argument == "-" || path.exists() {
            let text = files::read_text(path).context("cannot read the position")?;
            return Ok(PositionArgument { text, file: Some(argument.to_owned()), number: None });
        }
        if let Some((file, number)) = argument.rsplit_once('#')
            && let (Ok(number), true) = (number.parse(), Path::new(file).is_file())
        {
            let text = files::read_text(Path::new(file)).context("cannot read the position")?;
            return Ok(PositionArgument { text, file: Some(argument.to_owned()), number: Some(number) });
        }
        Ok(PositionArgument { text: argument.to_owned(), file: None, number: None })
    }

    fn wrong(&self, message: &str) -> anyhow::Error {
        match &self.file {
            Some(file) => anyhow!("the position in `{file}`: {message}"),
            None if !self.text.contains([' ', ':', '/']) => {
                anyhow!("--position is neither a file nor a position of this game: {message}")
            }
            None => anyhow!("--position: {message}"),
        }
    }
}

/// The program with this name, for those who want to look at it.
pub(crate) fn find_program(name: &str) -> Result<Program> {
    compile_rules(&find_rules(name)?)
}

/// The program of a text.
pub(crate) fn compile_rules(source: &Source) -> Result<Program> {
    compile(source, None)
}

/// Rules without a `setup` take the position as their own.
fn compile(source: &Source, position: Option<&PositionArgument>) -> Result<Program> {
    match rules::compile(source, position.map(|position| position.text.as_str())) {
        Ok((program, _warnings)) => Ok(program),
        Err(CompileError::Rules(diagnostics)) => {
            let columns = terminal::message_columns();
            let shown =
                diagnostics.iter().map(|diagnostic| crate::commands::render(source, diagnostic, columns));
            Err(WrongRules(shown.collect::<Vec<_>>().join("\n")).into())
        }
        Err(CompileError::Position(error)) => Err(match position {
            Some(position) => position.wrong(&error.message),
            None => anyhow!("the setup of `{}`: {}", source.name, error.message),
        }),
    }
}

fn start(info: &GameInfo, position: Option<&PositionArgument>, name: &str) -> Result<Position> {
    match position {
        None => info.start.clone().with_context(|| {
            format!(
                "the rules `{name}` have no `setup`: say where to start with --position, the rows of the board \
                 from top to bottom as text or in a file"
            )
        }),
        Some(given) => match given.number {
            Some(number) => read_numbered(info, &given.text, number),
            None => read_position(info, &given.text),
        }
        .map_err(|error| given.wrong(&error.message)),
    }
}
