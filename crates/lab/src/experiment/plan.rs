//! All runs of an experiment: the product of what its file lists.

use std::time::Duration;

use fabric::simulation::{Network, Topology};
use parallel::stealing::{Policy, TableKind};
use parallel::tds::Scheduling;

use super::file::{self, File, Mistake, Options, Text, Variant};
use super::names::{Algorithm, EngineKind, FabricKind, Named};
use crate::conditions::{Conditions, Fabric, Special, settings};

/// Memory for the table of each processor, in KiB, if nothing else is said: that of Zugzwang's transputers.
const TABLE_KIB: i64 = 2500;
/// Searches of less depth use the processor's own table, if nothing else is said.
const TABLE_DEPTH: u8 = 1;

/// An experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its title.
    pub title: String,
    /// What it is for.
    pub about: String,
    /// The games.
    pub subjects: Vec<SubjectPlan>,
    /// How their positions are searched.
    pub setups: Vec<Setup>,
    /// Where random numbers begin, one run each.
    pub seeds: Vec<u64>,
    /// How often each run is repeated on real processors.
    pub repetitions: u32,
    /// What all games together are called, if their times are summed up.
    pub total: Option<String>,
}

/// A game with positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubjectPlan {
    /// Which game.
    pub game: String,
    /// Its positions; without a suite, the start.
    pub suite: Option<String>,
    /// Only so many of them.
    pub first: Option<usize>,
    /// Only this one, from 1.
    pub only: Option<usize>,
    /// How deep they are searched.
    pub depth: i32,
    /// How positions are judged.
    pub evaluation: Option<String>,
    /// Memory for the table of each processor, if this game wants another size than the others.
    pub table_bytes: Option<usize>,
    /// With which seed positions of a puzzle are drawn that has no suite.
    pub position_seed: Option<u64>,
    /// Where the file speaks of it.
    pub line: usize,
}

impl SubjectPlan {
    /// The game and its positions, in words.
    #[must_use]
    pub fn name(&self) -> String {
        let suite = self.suite.as_ref().map_or(String::new(), |suite| format!(" {suite}"));
        let judged = self.evaluation.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let only = self.only.map_or(String::new(), |number| format!(" {number}"));
        let drawn = self.position_seed.map_or(String::new(), |seed| format!(" seed {seed}"));
        format!("{}{judged}{suite}{only}{drawn} depth {}", self.game, self.depth)
    }
}

/// How positions are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// How work is shared out.
    pub engine: &'static str,
    /// What is changed, by the name that the file gives it; empty if nothing is.
    pub variant: String,
    /// The kind of table.
    pub tables: &'static str,
    /// How many processors.
    pub processors: usize,
    /// All the rest; the depth is that of the game, and the seed that of the run.
    pub conditions: Conditions,
    /// What is special about that.
    pub special: Special,
    /// Whether a variant says how large tables are, whatever the game.
    own_table: bool,
    /// What was changed, as the file says it.
    changes: String,
    /// The sequential search that all are compared with.
    baseline: (Algorithm, usize),
}

impl Setup {
    /// The search that this one is compared with: one processor with a table of its own.
    #[must_use]
    pub fn alone(&self) -> Setup {
        let (Algorithm(engine), table_bytes) = self.baseline;
        let mut conditions = self.conditions;
        let seed = conditions.settings.seed;
        conditions.settings = settings(engine, !conditions.is_exact());
        conditions.settings.seed = seed;
        conditions.policy = Policy::YBWC;
        conditions.tables = TableKind::Local;
        conditions.table_bytes = table_bytes;
        conditions.equal_memory = false;
        if let Fabric::Virtual { network, .. } = conditions.fabric {
            conditions.fabric = Fabric::Virtual { network, topology: network.topology };
        }
        // A puzzle's states all stay where they are when there is but one home.
        let scheduling = self.special.scheduling.map(|_| Scheduling::Home);
        let changes = if scheduling.is_some() { " tds".to_owned() } else { format!(" {}", engine.name()) };
        Setup {
            engine: "alone",
            variant: String::new(),
            tables: "local",
            processors: 1,
            conditions,
            special: Special { scheduling, ..Special::default() },
            own_table: false,
            changes,
            baseline: self.baseline,
        }
    }

    /// All that the figures of a run depend on, but for the position and the program.
    #[must_use]
    pub fn key(&self, subject: &SubjectPlan) -> String {
        let Setup { engine, tables, processors, changes, conditions, .. } = self;
        let mut key = format!("{} {processors} | {engine} {tables}{changes}", conditions.fabric.name());
        key += &format!(" table={}", self.table_bytes(subject) >> 10);
        if let Some(cost) = conditions.node_cost {
            key += &format!(" node={}", cost.as_nanos());
        }
        if !conditions.is_exact() {
            key += " selective";
        }
        key
    }

    /// The conditions of a run.
    #[must_use]
    pub fn conditions(&self, subject: &SubjectPlan, seed: u64) -> Conditions {
        let (depth, table_bytes) = (subject.depth, self.table_bytes(subject));
        let mut conditions = Conditions { depth, table_bytes, ..self.conditions };
        conditions.settings.seed = seed;
        conditions
    }

    fn table_bytes(&self, subject: &SubjectPlan) -> usize {
        subject.table_bytes.filter(|_| !self.own_table).unwrap_or(self.conditions.table_bytes)
    }

    /// The engine, with what is changed.
    #[must_use]
    pub fn name(&self) -> String {
        match self.variant.as_str() {
            "" => self.engine.to_owned(),
            variant => format!("{}, {variant}", self.engine),
        }
    }

    /// Where the processors are, and where they keep what they know.
    #[must_use]
    pub fn place(&self) -> String {
        match self.conditions.fabric {
            fabric @ (Fabric::Threads | Fabric::Processes { .. }) => fabric.name(),
            fabric @ Fabric::Virtual { .. } if self.special.scheduling.is_some() => fabric.name(),
            fabric @ Fabric::Virtual { .. } => format!("{}, {} tables", fabric.name(), self.tables),
        }
    }

    /// Whether the same seed gives the same run.
    #[must_use]
    pub fn is_virtual(&self) -> bool {
        matches!(self.conditions.fabric, Fabric::Virtual { .. })
    }
}

impl Plan {
    /// Whether it is about puzzles, and not about games for two.
    #[must_use]
    pub fn is_of_puzzles(&self) -> bool {
        self.setups.iter().any(|setup| setup.special.scheduling.is_some())
    }

    /// Reads an experiment.
    ///
    /// # Errors
    /// When the text is no experiment, or one that cannot be made.
    pub fn read(text: &str) -> Result<Plan, Mistake> {
        let file = file::read(text)?;
        let text = Text(text);
        super::possible::check(&file, &text)?;
        let subjects = subjects(&file, &text)?;
        let seeds = match &file.seeds {
            Some(seeds) => seeds.get_ref().iter().map(|seed| seed.get() as u64).collect(),
            None => vec![1],
        };
        Ok(Plan {
            title: file.title.clone().unwrap_or_else(|| "An experiment".to_owned()),
            about: file.about.clone().unwrap_or_default(),
            setups: setups(&file),
            subjects,
            seeds,
            repetitions: file.repetitions.as_ref().map_or(1, |count| count.get_ref().get() as u32),
            total: file.total,
        })
    }
}

fn subjects(file: &File, text: &Text<'_>) -> Result<Vec<SubjectPlan>, Mistake> {
    const EVALUATIONS: [&str; 4] = ["automatic", "rules", "derived", "none"];
    let mut subjects: Vec<SubjectPlan> = Vec::new();
    for entry in file.games.get_ref() {
        if let Some(name) = &entry.evaluation
            && !EVALUATIONS.contains(&name.get_ref().as_str())
        {
            let all = EVALUATIONS.join(", ");
            return Err(
                text.mistake(name, format!("there is no evaluation `{}`: there are {all}", name.get_ref()))
            );
        }
        let subject = SubjectPlan {
            game: entry.game.get_ref().clone(),
            suite: entry.suite.clone(),
            first: entry.first.map(|count| count.get() as usize),
            only: entry.only.map(|number| number.get() as usize),
            depth: entry.depth.get() as i32,
            evaluation: entry.evaluation.as_ref().map(|name| name.get_ref().clone()),
            table_bytes: entry.table_kib.map(|kib| (kib.get() as usize) << 10),
            position_seed: entry.position_seed.as_ref().map(|seed| seed.get_ref().get() as u64),
            line: text.line(entry.game.span().start),
        };
        if subjects.iter().any(|other| other.name() == subject.name()) {
            return Err(text.mistake(&entry.game, format!("{} is there twice", subject.name())));
        }
        subjects.push(subject);
    }
    Ok(subjects)
}

fn setups(file: &File) -> Vec<Setup> {
    let plain = vec![None];
    let variants: Vec<Option<&Variant>> =
        if file.variants.is_empty() { plain } else { file.variants.iter().map(Some).collect() };
    let mut setups = Vec::new();
    for fabric in fabrics(file) {
        for tables in tables(file, fabric) {
            for engine in file.engines.get_ref() {
                for variant in &variants {
                    let parts = Parts { file, fabric, tables, engine: *engine, variant: *variant };
                    setups.extend(
                        file.processors.get_ref().iter().map(|count| parts.setup(count.get() as usize)),
                    );
                }
            }
        }
    }
    setups
}

fn fabrics(file: &File) -> Vec<Fabric> {
    if file.fabric.as_ref().is_some_and(|fabric| fabric.get_ref().value == FabricKind::Threads) {
        return vec![Fabric::Threads];
    }
    let usual = vec![Network::INFINIBAND];
    let networks: Vec<Network> =
        file.networks.as_ref().map_or(usual, |list| list.get_ref().iter().map(|named| named.value).collect());
    let mut fabrics = Vec::new();
    for network in networks {
        let topologies: Vec<Topology> = match &file.topologies {
            Some(list) => list.get_ref().iter().map(|named| named.value).collect(),
            None => vec![network.topology],
        };
        fabrics.extend(topologies.into_iter().map(|topology| Fabric::Virtual { network, topology }));
    }
    fabrics
}

fn tables(file: &File, fabric: Fabric) -> Vec<Named<TableKind>> {
    let usual = if fabric == Fabric::Threads { TableKind::Shared } else { TableKind::Partitioned };
    match &file.tables {
        Some(list) => list.get_ref().clone(),
        None => Named::of(usual).into_iter().collect(),
    }
}

/// What a setup is made of.
struct Parts<'file> {
    file: &'file File,
    fabric: Fabric,
    tables: Named<TableKind>,
    engine: Named<EngineKind>,
    variant: Option<&'file Variant>,
}

impl Parts<'_> {
    fn setup(&self, processors: usize) -> Setup {
        let Parts { file, variant, .. } = self;
        let none = Options::default();
        let options = variant.map_or(&none, |variant| &variant.options).or(&file.options);
        let engine = variant.and_then(|variant| variant.engine).unwrap_or(self.engine);
        let tables = variant.and_then(|variant| variant.tables).unwrap_or(self.tables);
        let fabric = match (self.fabric, variant.and_then(|variant| variant.topology)) {
            (Fabric::Virtual { network, .. }, Some(topology)) => {
                Fabric::Virtual { network, topology: topology.value }
            }
            (fabric, _) => fabric,
        };
        let bytes = |options: &Options| (options.table_kib.map_or(TABLE_KIB, |kib| kib.get()) as usize) << 10;
        let algorithm = options.algorithm.map_or(search::Engine::NegaScout, |named| named.value.0);
        let mut settings = settings(algorithm, file.selective);
        for switch in options.off.iter().flatten() {
            settings.heuristics.set(switch.name, false);
        }
        let baseline = file.baseline.map_or(Algorithm(search::Engine::NegaScout), |named| named.value);
        Setup {
            engine: engine.name,
            variant: variant.map_or(String::new(), |variant| variant.name.get_ref().clone()),
            special: Special {
                faults: options.faults.unwrap_or_default().0,
                scheduling: engine.value.puzzle(),
            },
            own_table: variant.is_some_and(|variant| variant.options.table_kib.is_some()),
            tables: tables.name,
            processors,
            conditions: Conditions {
                settings,
                depth: 0,
                policy: options.policy(engine.value.policy()),
                fabric,
                tables: tables.value,
                table_bytes: bytes(&options),
                table_depth: options.table_depth.map_or(TABLE_DEPTH, |depth| depth.get() as u8),
                prefetch: options.prefetch.unwrap_or(true),
                combine: options.combine.map_or(1, |entries| entries.get() as usize),
                ahead: options.ahead.map_or(0, |children| children.get() as usize),
                equal_memory: options.equal_memory.unwrap_or(false),
                node_cost: file.node_cost_ns.map(|cost| Duration::from_nanos(cost.get() as u64)),
            },
            changes: options.changes(),
            baseline: (baseline, bytes(&file.options)),
        }
    }
}

impl Options {
    fn policy(&self, engine: Policy) -> Policy {
        Policy {
            depth_min: self.least_depth.map_or(engine.depth_min, |depth| depth.get() as i32),
            victims: self.ask.map_or(engine.victims, |ask| ask.0),
            ambition: self.ambition.map_or(engine.ambition, |ambition| ambition.get() as u8),
            return_asks: self.return_asks.unwrap_or(engine.return_asks),
            keeps_requests: self.keeps_requests.unwrap_or(engine.keeps_requests),
            helps: self.helps.unwrap_or(engine.helps),
            slow_start: self.slow_start.unwrap_or(engine.slow_start),
            exchanges: self.exchange.unwrap_or(engine.exchanges),
            narrows: self.narrows.unwrap_or(engine.narrows),
            kills: self.kills.unwrap_or(engine.kills),
            ..engine
        }
    }

    /// What is said, in a fixed order.
    fn changes(&self) -> String {
        let mut text = String::new();
        let mut say = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                text += &format!(" {name}={value}");
            }
        };
        say("algorithm", self.algorithm.map(|named| named.name.to_owned()));
        say("least_depth", self.least_depth.map(|number| number.get().to_string()));
        say("ask", self.ask.map(|ask| ask.to_string()));
        say("ambition", self.ambition.map(|number| number.get().to_string()));
        say("return_asks", self.return_asks.map(|on| on.to_string()));
        say("keeps_requests", self.keeps_requests.map(|on| on.to_string()));
        say("helps", self.helps.map(|on| on.to_string()));
        say("slow_start", self.slow_start.map(|on| on.to_string()));
        say("exchange", self.exchange.map(|on| on.to_string()));
        say("table_depth", self.table_depth.map(|number| number.get().to_string()));
        say("prefetch", self.prefetch.map(|on| on.to_string()));
        say("combine", self.combine.map(|number| number.get().to_string()));
        say("ahead", self.ahead.map(|number| number.get().to_string()));
        say("narrows", self.narrows.map(|on| on.to_string()));
        say("kills", self.kills.map(|on| on.to_string()));
        say("faults", self.faults.map(|faults| faults.to_string()));
        say("equal_memory", self.equal_memory.map(|on| on.to_string()));
        let off =
            self.off.as_ref().map(|list| list.iter().map(|switch| switch.name).collect::<Vec<_>>().join("+"));
        say("off", off);
        text
    }
}
