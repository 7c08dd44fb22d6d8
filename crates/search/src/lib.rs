//! `search` explores the trees of two-player games. It knows positions and moves through [`game`] and remembers
//! through [`table`]. It does not know threads, networks or which game it serves; time and randomness come in as
//! values: a [`Clock`] and a seed. Puzzles, games for one player, have engines of their own: [`one_player`].
//!
//! Start with [`engine`], the one function that runs any engine; then `node.rs`, the node function of the
//! full-width engines, whose pruning (`pruning.rs`), ordering (`ordering.rs`), reductions and extensions
//! (`selectivity.rs`) are functions of their own, switched by [`Heuristics`].
//!
//! ```
//! use search::{Control, Engine, Knowledge, Limits, Resources, Root, Settings, StoppedClock};
//! # use game::Game;
//! let game = native::NativeOthello::new();
//! let start = game.info().start.clone().unwrap();
//! let knowledge = Knowledge::learn(&game, &start)?;
//! let table = table::Bucketed::new(1, table::Replacement::Age);
//! let resources = Resources {
//!     table: &table,
//!     knowledge: &knowledge,
//!     control: &Control::default(),
//!     clock: &StoppedClock,
//!     team: None,
//! };
//! let settings = Settings::new(Engine::NegaScout);
//! let root = Root::new(&game, &start);
//! let report = search::search(&game, &root, &settings, &Limits::to_depth(4), resources, &mut |_| {})?;
//! assert_eq!(report.depth, search::Depth(4));
//! assert!(report.best.is_some());
//! # Ok::<(), game::RuleFault>(())
//! ```

#![forbid(unsafe_code)]

pub mod engine;

pub mod depth;
pub mod heuristics;
pub mod knowledge;
pub mod limits;
pub mod report;
pub mod root;
pub mod score;
pub mod statistics;
pub mod team;
pub mod watch;

pub mod company;
mod corrections;
pub mod desk;
pub mod guided;
pub mod line;
mod peers;
mod sharing;

mod deepening;
mod mtd;
mod negamax;
pub mod node;
mod plan;
pub mod searcher;

mod exchanges;
pub mod experience;
pub mod facts;
mod lessons;
mod memory;
pub mod ordering;
pub mod path;
mod pruning;
mod quiescence;
mod selectivity;
mod threats;
mod transposition;
mod wanted;

pub mod monte_carlo;
pub mod one_player;
mod probable;
pub mod proof;

/// The stack of a thread that searches: a search calls itself once per ply.
pub const STACK_BYTES: usize = 64 << 20;

pub use company::{Alone, Company};
pub use depth::Depth;
pub use engine::{Engine, Resources, Settings, choose_if_unknown, search, search_keeping};
pub use experience::Kept;
pub use heuristics::Heuristics;
pub use knowledge::Knowledge;
pub use limits::{Clock, Control, Limits, StoppedClock, TimeLimit};
pub use memory::PLY_MAX;
pub use report::{Progress, Report};
pub use root::Root;
pub use score::{Score, Window};
pub use searcher::Searcher;
pub use statistics::Statistics;
pub use team::Team;
