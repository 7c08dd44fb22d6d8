//! Monte Carlo search on several threads, in three ways (Chaslot, Winands, van den Herik: Parallel Monte-Carlo tree
//! search, 2008):
//!
//! - *tree*: all grow one tree. A thread on its way counts as a loss until it comes back (virtual loss), so that not
//!   all go the same way. The tree is locked on the way down and back, and free while games are played out.
//! - *root*: each thread grows a tree of its own; the results of the moves of the root are added up.
//! - *leaf*: one grows a tree, and all play out the same leaf at the same time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fabric::{Event, Processor, ProcessorId, threads};
use game::{Game, Move, RuleFault, Signature};
use search::monte_carlo::{
    self, FIRST_REPORT, Harvest, PLAYOUTS_BETWEEN_LOOKS, Played, Player, Together, Tree,
};
use search::watch::{Interrupt, Watch};
use search::{
    Control, Limits, Progress, Report, Resources, Root, Score, Settings, Statistics, StoppedClock, Team,
};
use table::Table;

use crate::again::{ATTEMPTS, Past};
use crate::measures::Measures;
use crate::stealing::Together as Found;
use crate::wire::{Reader, Writer};

/// What all threads work on.
struct MonteCarlo<'run, G: Game> {
    game: &'run G,
    root: &'run Root<G>,
    settings: &'run Settings,
    limits: &'run Limits,
    team: Team<'run>,
    /// Stops those who help.
    helping: &'run Control,
    /// Games that were played.
    playouts: AtomicU64,
    /// Whether a thread has proven the outcome.
    is_proven: AtomicBool,
}

/// What one thread has to tell at the end.
struct Share {
    statistics: Statistics,
    harvest: Vec<Harvest>,
    /// The score and line of its own tree, if they are proven.
    proven: Option<(Score, Vec<Move>)>,
    report: Option<Report>,
}

/// The same as [`search::search`] with Monte Carlo search, on so many threads.
pub(crate) fn search<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    count: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Found, RuleFault> {
    let mut past = Past::new(resources.clock.now());
    for _ in 0..ATTEMPTS {
        let (settings, limits) = past.rest(settings, limits, resources.clock.now());
        let shares = attempt(game, root, &settings, &limits, count, resources, progress)?;
        let lost = shares.iter().filter(|share| share.is_none()).count();
        let of_thread = |share: &Share| Measures { nodes: share.statistics.nodes, ..Measures::default() };
        let measures = shares.iter().map(|share| share.as_ref().map(of_thread)).collect();
        let Some(report) = gather(shares, settings.monte_carlo.together == Together::Root) else {
            past.fail(Statistics::default(), lost);
            continue;
        };
        let report = past.complete(report, lost, resources.clock.now());
        let report = search::choose_if_unknown(game, root, resources, report).map_err(fault_of)?;
        return Ok(Found { report, measures });
    }
    panic!("the thread that leads the search has panicked {ATTEMPTS} times")
}

/// Begins the search; what its threads tell.
fn attempt<G: Game, T: Table + Sync>(
    game: &G,
    root: &Root<G>,
    settings: &Settings,
    limits: &Limits,
    count: usize,
    resources: Resources<'_, T>,
    progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Vec<Option<Share>>, RuleFault> {
    let (nodes, helping) = (AtomicU64::new(0), Control::default());
    let team = Team::new(&nodes);
    let search = MonteCarlo {
        game,
        root,
        settings,
        limits,
        team,
        helping: &helping,
        playouts: AtomicU64::new(0),
        is_proven: AtomicBool::new(false),
    };
    let watch = Watch::new(limits, resources.control, resources.clock).together(Some(team));
    let mut player = Player::new(game, root, settings, watch);
    let tree = game::stopping::never(|| player.plant()).map_err(fault_of)?;
    Ok(match settings.monte_carlo.together {
        Together::Tree => {
            let shared = Mutex::new(tree);
            let lead = |_: &dyn Processor| search.grow_together(player, &shared, Some(progress));
            let help = |here: &dyn Processor| search.grow_together(search.helper(here), &shared, None);
            threads::run_led(count, search::STACK_BYTES, lead, &help)
        }
        Together::Root => {
            let lead = |_: &dyn Processor| search.grow_alone(player, tree, Some(progress));
            let help = |here: &dyn Processor| search.help_at_the_root(here);
            threads::run_led(count, search::STACK_BYTES, lead, &help)
        }
        Together::Leaf => {
            let lead = |here: &dyn Processor| search.grow_with_helpers(here, player, tree, progress);
            let help = |here: &dyn Processor| search.play_leaves(here);
            threads::run_led(count, search::STACK_BYTES, lead, &help)
        }
    })
}

/// Stops those who help when the leader is done, or panics.
struct Stopping<'run>(&'run Control);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn fault_of(interrupt: Interrupt) -> RuleFault {
    match interrupt {
        Interrupt::Fault(fault) => *fault,
        Interrupt::Stopped | Interrupt::Cut { .. } => RuleFault::stopped(),
    }
}

fn locked(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'run, G: Game> MonteCarlo<'run, G> {
    /// A player who helps: with random numbers of its own, and no limits but that of nodes.
    fn helper(&self, here: &dyn Processor) -> Player<'run, G> {
        let free = Limits { nodes: self.limits.nodes, ..Limits::default() };
        let watch = Watch::new(&free, self.helping, &StoppedClock).together(Some(self.team));
        let seed = self.settings.seed ^ u64::from(here.id().0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Player::new(self.game, self.root, &Settings { seed, ..*self.settings }, watch)
    }

    /// A game was played; whether another one should be.
    fn goes_on(&self, player: &Player<'_, G>) -> bool {
        let playouts = self.playouts.fetch_add(1, Ordering::Relaxed) + 1;
        playouts < monte_carlo::playouts_max(self.settings, self.limits)
            && !self.is_proven.load(Ordering::Relaxed)
            && (!playouts.is_multiple_of(PLAYOUTS_BETWEEN_LOOKS) || player.watch.may_go_on(100))
    }

    /// One tree for all.
    fn grow_together(
        &self,
        mut player: Player<'_, G>,
        shared: &Mutex<Tree>,
        mut progress: Option<&mut dyn FnMut(&Progress<'_>)>,
    ) -> Share {
        let stopping = progress.is_some().then(|| Stopping(self.helping));
        let mut next_report = FIRST_REPORT;
        let mut once = || -> Result<bool, Interrupt> {
            let mut tree = locked(shared);
            if tree.is_proven() {
                self.is_proven.store(true, Ordering::Relaxed);
                return Ok(false);
            }
            let descent = player.descend(&mut tree)?;
            let line = descent.line.clone();
            tree.set_out(&line);
            drop(tree);
            let game = player.finish(descent);
            let mut tree = locked(shared);
            tree.come_back(&line);
            tree.back_up(&line, &game?.1);
            if let Some(progress) = &mut progress
                && self.playouts.load(Ordering::Relaxed) >= next_report
            {
                next_report *= 2;
                monte_carlo::tell(&tree, &player.watch, *progress);
            }
            drop(tree);
            Ok(self.goes_on(&player))
        };
        let end = until_it_ends(&mut once);
        drop(stopping);
        let leads = progress.is_some();
        let report =
            leads.then(|| monte_carlo::report(&locked(shared), &player.watch, player.statistics(), end));
        Share { statistics: player.statistics(), harvest: Vec::new(), proven: None, report }
    }

    /// A tree of one's own.
    fn grow_alone(
        &self,
        mut player: Player<'_, G>,
        mut tree: Tree,
        mut progress: Option<&mut dyn FnMut(&Progress<'_>)>,
    ) -> Share {
        let stopping = progress.is_some().then(|| Stopping(self.helping));
        let mut next_report = FIRST_REPORT;
        let mut once = || -> Result<bool, Interrupt> {
            if tree.is_proven() {
                self.is_proven.store(true, Ordering::Relaxed);
                return Ok(false);
            }
            player.play_once(&mut tree)?;
            if let Some(progress) = &mut progress
                && self.playouts.load(Ordering::Relaxed) >= next_report
            {
                next_report *= 2;
                monte_carlo::tell(&tree, &player.watch, *progress);
            }
            Ok(self.goes_on(&player))
        };
        let end = until_it_ends(&mut once);
        drop(stopping);
        let leads = progress.is_some();
        let report = leads.then(|| monte_carlo::report(&tree, &player.watch, player.statistics(), end));
        let proven = tree.is_proven().then(|| (tree.score(), tree.principal_variation()));
        Share { statistics: player.statistics(), harvest: tree.harvest(), proven, report }
    }

    fn help_at_the_root(&self, here: &dyn Processor) -> Share {
        let mut player = self.helper(here);
        match player.plant() {
            Ok(tree) => self.grow_alone(player, tree, None),
            // The leader has met the same.
            Err(_) => nothing(player.statistics()),
        }
    }

    /// A tree whose leaves are played out by all.
    fn grow_with_helpers(
        &self,
        here: &dyn Processor,
        mut player: Player<'_, G>,
        mut tree: Tree,
        progress: &mut dyn FnMut(&Progress<'_>),
    ) -> Share {
        let mut alive = vec![true; here.processors()];
        alive[here.id().index()] = false;
        let mut next_report = FIRST_REPORT;
        let mut once = || -> Result<bool, Interrupt> {
            if tree.is_proven() {
                return Ok(false);
            }
            let descent = player.descend(&mut tree)?;
            let mut waiting = 0;
            if descent.game.is_none() {
                let mut writer = Writer::default();
                writer.list(&descent.moves, Writer::played);
                for helper in helpers(&alive) {
                    here.send(helper, writer.0.clone());
                    waiting += 1;
                }
            }
            let (line, game) = player.finish(descent)?;
            tree.back_up(&line, &game);
            while waiting > 0 {
                match here.receive() {
                    Event::Died(gone) => {
                        waiting -= usize::from(std::mem::take(&mut alive[gone.index()]));
                    }
                    Event::Message { bytes, .. } => {
                        waiting -= 1;
                        if let Some(game) = read_game(&bytes) {
                            tree.back_up(&line, &game);
                            self.playouts.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
            }
            if self.playouts.load(Ordering::Relaxed) >= next_report {
                next_report *= 2;
                monte_carlo::tell(&tree, &player.watch, progress);
            }
            Ok(self.goes_on(&player) && player.watch.may_go_on(100))
        };
        let end = until_it_ends(&mut once);
        helpers(&alive).for_each(|helper| here.send(helper, Vec::new()));
        let report = Some(monte_carlo::report(&tree, &player.watch, player.statistics(), end));
        Share { statistics: player.statistics(), harvest: Vec::new(), proven: None, report }
    }

    /// Plays out what the leader says until it says nothing.
    fn play_leaves(&self, here: &dyn Processor) -> Share {
        let mut player = self.helper(here);
        loop {
            let bytes = match here.receive() {
                Event::Died(ProcessorId(0)) => break,
                Event::Died(_) => continue,
                Event::Message { bytes, .. } => bytes,
            };
            let Some(moves) = Reader(&bytes).list(Reader::played) else { break };
            // Whatever goes wrong is met by the leader too if it matters.
            let game = player.follow(&moves).ok();
            here.send(ProcessorId(0), game.map_or_else(Vec::new, |game| write_game(&game)));
        }
        nothing(player.statistics())
    }
}

fn nothing(statistics: Statistics) -> Share {
    Share { statistics, harvest: Vec::new(), proven: None, report: None }
}

fn helpers(alive: &[bool]) -> impl Iterator<Item = ProcessorId> {
    (0..).zip(alive).filter(|(_, alive)| **alive).map(|(number, _)| ProcessorId(number))
}

/// Plays until there is no more to play; returns the fault that ended it, if one did.
fn until_it_ends(once: &mut dyn FnMut() -> Result<bool, Interrupt>) -> Option<Box<RuleFault>> {
    loop {
        match once() {
            Ok(true) => {}
            Ok(false) | Err(Interrupt::Stopped | Interrupt::Cut { .. }) => return None,
            Err(Interrupt::Fault(fault)) => return Some(fault),
        }
    }
}

/// Adds up what the threads tell; `None` if the first of them has nothing to tell.
fn gather(shares: Vec<Option<Share>>, adds_up: bool) -> Option<Report> {
    let mut statistics = Statistics::default();
    let mut sums: Vec<Harvest> = Vec::new();
    let (mut report, mut proven) = (None, None);
    for share in shares.into_iter().flatten() {
        statistics += share.statistics;
        report = report.or(share.report);
        proven = proven.or(share.proven);
        for one in share.harvest {
            match sums.iter_mut().find(|sum| sum.played.view().same_as(one.played.view())) {
                Some(sum) => {
                    (sum.visits, sum.sum) = (sum.visits + one.visits, sum.sum + one.sum);
                    sum.proven = sum.proven.or(one.proven);
                }
                None => sums.push(one),
            }
        }
    }
    let report: Report = report?;
    let proven_nodes = report.statistics.proven_nodes;
    let statistics = Statistics { proven_nodes, ..statistics };
    let report = Report { nodes: statistics.nodes, statistics, ..report };
    Some(match (proven, adds_up) {
        (Some((score, line)), _) => {
            Report { score, best: line.first().cloned(), principal_variation: line, proven: true, ..report }
        }
        (None, true) => best_of(sums, report),
        (None, false) => report,
    })
}

/// The move with the most games of all, unless it is known to lose.
fn best_of(sums: Vec<Harvest>, report: Report) -> Report {
    let certainty = |one: &Harvest| one.proven.filter(|sign| *sign != 0).unwrap_or(0);
    let best = sums.into_iter().rev().max_by(|left, right| {
        certainty(left).cmp(&certainty(right)).then(left.visits.total_cmp(&right.visits))
    });
    let Some(best) = best else { return report };
    let mean = if best.visits > 0.0 { best.sum / best.visits } else { 0.5 };
    let follows = report.best.as_ref().is_some_and(|first| first.view().same_as(best.played.view()));
    let line = if follows { report.principal_variation } else { vec![best.played.clone()] };
    Report {
        score: Score::estimate(((mean - 0.5) * 2000.0) as i32),
        best: Some(best.played),
        principal_variation: line,
        ..report
    }
}

fn write_game(game: &Played) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.number(game.sign.to_bits() as i32);
    writer.flag(game.seen_by_root);
    for played in &game.played {
        let played: Vec<Signature> = played.iter().copied().collect();
        writer.list(&played, |writer, difference| writer.word(difference.0));
    }
    writer.0
}

fn read_game(bytes: &[u8]) -> Option<Played> {
    let mut reader = Reader(bytes);
    let sign = f32::from_bits(reader.number()? as u32);
    let seen_by_root = reader.flag()?;
    let mut set = || Some(reader.list(|reader| reader.word().map(Signature))?.into_iter().collect());
    Some(Played { sign, seen_by_root, played: [set()?, set()?] })
}
