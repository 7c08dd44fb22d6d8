//! Who plays: an engine of ours with its settings, or a program that speaks UCI.
//!
//! ```text
//! engine=negascout,depth=4,without=null-move+futility,hash=16,name=plain
//! uci:fairy-stockfish
//! uci:gnuchess -u
//! ```

use parallel::Habits;
use protocol::EngineOptions;

use super::pace::Pace;
use crate::cli::{Evaluation, engine, heuristic};
use crate::memory::table_mib;
use crate::policies::Wanted;

/// A player as it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) pace: Pace,
    /// What it judges positions by, if that was said.
    pub(crate) evaluation: Option<Evaluation>,
    /// What leads its Monte Carlo search, if that was said.
    pub(crate) policy: Option<Wanted>,
}

/// What plays.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// One of our engines.
    Own(Box<EngineOptions>),
    /// A program, its arguments, and the options that it gets.
    Uci { program: String, arguments: Vec<String>, options: Vec<(String, String)> },
}

impl Setting {
    /// Reads what `--first` or `--second` says.
    pub(crate) fn read(text: &str) -> Result<Setting, String> {
        match text.trim().strip_prefix("uci:") {
            Some(command) => Setting::uci(command),
            None => Setting::own(text.trim()),
        }
    }

    fn uci(command: &str) -> Result<Setting, String> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or("`uci:` needs a program, such as uci:fairy-stockfish")?;
        let name = program.rsplit(['/', '\\']).next().unwrap_or(&program).to_owned();
        let kind = Kind::Uci { program, arguments: words.collect(), options: Vec::new() };
        Ok(Setting { name, kind, pace: Pace::default(), evaluation: None, policy: None })
    }

    fn own(text: &str) -> Result<Setting, String> {
        let mut options = EngineOptions::default();
        let (mut pace, mut name, mut evaluation, mut policy) = (Pace::default(), None, None, None);
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (key, value) = item.split_once('=').unwrap_or((item, ""));
            let wrong = |hint: String| format!("`{item}`: {hint}");
            match (key.trim(), value.trim()) {
                ("engine", value) => {
                    let chosen = engine(value).map_err(wrong)?;
                    (options.settings.engine, options.method) = (chosen.engine, chosen.method);
                }
                ("exact", "") => options.settings = options.settings.exact(),
                ("with" | "without", names) => {
                    for name in names.split('+') {
                        let switch = heuristic(name).map_err(wrong)?;
                        options.settings.heuristics.set(&switch, key == "with");
                    }
                }
                ("hash", value) => options.hash_mib = table_mib(value).map_err(wrong)? as usize,
                ("threads", value) => match value.parse::<usize>() {
                    Ok(threads) if (1..=parallel::THREADS_MAX).contains(&threads) => {
                        options.threads = threads
                    }
                    _ => return Err(wrong(format!("give a number from 1 to {}", parallel::THREADS_MAX))),
                },
                ("increment", value) => match value.parse::<i32>() {
                    Ok(plies) if (1..=200).contains(&plies) => options.settings.increment = plies,
                    _ => return Err(wrong("give a number from 1 to 200".to_owned())),
                },
                ("evaluation", value) => {
                    evaluation = Some(Evaluation::read(value).map_err(wrong)?);
                }
                ("policy", value) => policy = Some(Wanted::read(value).map_err(wrong)?),
                ("name", value) if !value.is_empty() => name = Some(value.to_owned()),
                (key, value) => {
                    if !pace.set(key, value)? {
                        return Err(format!(
                            "`{item}` is no setting: there are engine, exact, with, without, evaluation, \
                             policy, hash, increment, threads, name, depth, nodes, movetime, time; or uci:PROGRAM"
                        ));
                    }
                }
            }
        }
        let name =
            name.unwrap_or_else(|| if text.is_empty() { "default".to_owned() } else { text.to_owned() });
        Ok(Setting { name, kind: Kind::Own(Box::new(options)), pace, evaluation, policy })
    }

    /// An engine of ours shares its searches as it was found to be best.
    pub(crate) fn follow(&mut self, habits: &Habits) {
        if let Kind::Own(options) = &mut self.kind {
            options.habits = habits.clone();
        }
    }

    /// Adds `NAME=VALUE` for a UCI program.
    pub(crate) fn add_options(&mut self, given: &[String]) -> Result<(), String> {
        for text in given {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            match &mut self.kind {
                Kind::Uci { options, .. } => options.push((name.trim().to_owned(), value.trim().to_owned())),
                Kind::Own(_) => return Err(format!("`{text}`: options are for UCI programs (uci:PROGRAM)")),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let setting = Setting::read(
            "engine=mtdf,depth=4,without=futility+killers,with=null-move,hash=2,name=x,evaluation=none,threads=2",
        )
        .unwrap();
        let Kind::Own(options) = &setting.kind else { panic!("ours") };
        assert_eq!((options.settings.engine, options.hash_mib), (search::Engine::Mtdf, 2));
        assert_eq!(options.threads, 2);
        let heuristics = options.settings.heuristics;
        assert!(heuristics.null_move && !heuristics.futility && !heuristics.killers && heuristics.table);
        assert_eq!((setting.name.as_str(), setting.pace.depth), ("x", Some(4)));
        assert_eq!(setting.evaluation, Some(Evaluation::None));
        assert_eq!(Setting::read("").unwrap().name, "default");
        let mut outside = Setting::read("uci:/usr/games/gnuchess -u").unwrap();
        outside.add_options(&["Hash=16".to_owned(), "Clear Hash".to_owned()]).unwrap();
        assert_eq!(outside.name, "gnuchess");
        let Kind::Uci { arguments, options, .. } = &outside.kind else { panic!("not ours") };
        assert_eq!((arguments.as_slice(), options.len()), (["-u".to_owned()].as_slice(), 2));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "engine=stockfish",
            "depth=0",
            "without=nothing",
            "threads=0",
            "threads=1000",
            "hash=0",
            "uci:",
            "speed=3",
            "exact=1",
            "increment=0",
            "evaluation=best",
            "name=",
        ] {
            assert!(Setting::read(text).is_err(), "{text}");
        }
        assert!(Setting::read("").unwrap().add_options(&["Hash=1".to_owned()]).is_err());
    }
}
