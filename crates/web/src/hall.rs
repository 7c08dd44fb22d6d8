//! All tables. Rules are opened once, in a house of their own; every game by these rules is a table in it, with a
//! thread and a bounded queue. What hangs at one table is not noticed at another.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use collection::Collection;
use game::Game;

use crate::host::{Host, Work};
use crate::message::{Opening, Order, RULES_BYTES_MAX, Refusal, WORDS_MAX};
use crate::outbox::Outbox;
use crate::pool::Pool;
use crate::seat::Seated;
use crate::store::{self, Kept, Store};
use crate::table::{Beginning, Event, GameTable};

/// Orders that wait at a table at most.
const ORDERS_WAITING_MAX: usize = 64;
/// A house without tables is kept open this long.
const EMPTY_HOUSE: Duration = Duration::from_secs(20);

/// How much there may be at once.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Tables.
    pub tables: usize,
    /// Different rules.
    pub rules: usize,
    /// Searches.
    pub searches: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Connections.
    pub connections: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Bounds { tables: 256, rules: 96, searches: 8, threads: cores, connections: 64 }
    }
}

/// All houses and tables.
pub(crate) struct Hall<H> {
    pub(crate) host: Arc<H>,
    pub(crate) bounds: Bounds,
    pub(crate) pool: Pool,
    pub(crate) store: Store,
    /// Games of others.
    pub(crate) collection: Arc<Collection>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    houses: HashMap<u64, Sender<Beginning>>,
    tables: HashMap<String, SyncSender<Event>>,
    closing: bool,
}

impl<H: Host> Hall<H> {
    pub(crate) fn new(
        host: Arc<H>,
        bounds: Bounds,
        store: Store,
        collection: Arc<Collection>,
    ) -> Arc<Hall<H>> {
        let pool = Pool::new(bounds.searches);
        Arc::new(Hall { host, bounds, pool, store, collection, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many tables there are.
    pub(crate) fn tables(&self) -> usize {
        self.state().tables.len()
    }

    /// Opens a table; the answer comes from there.
    pub(crate) fn open(self: &Arc<Self>, opening: Opening, outbox: Outbox, id: u64) -> Result<(), Refusal> {
        let (rules, title) = match (&opening.name, &opening.rules) {
            (Some(name), None) => {
                let name: String = name.chars().take(60).collect();
                let known = self.host.library().into_iter().find(|entry| entry.name == name);
                let source = self.host.source(&name);
                let rules = source.ok_or_else(|| Refusal::no(format!("there is no game `{name}`")))?;
                (rules, known.map_or(name, |entry| entry.title))
            }
            (None, Some(rules)) if rules.len() > RULES_BYTES_MAX => {
                return Err(Refusal::no(format!("rules have at most {} kB", RULES_BYTES_MAX / 1024)));
            }
            (None, Some(rules)) => (rules.clone(), title_of(rules)),
            _ => return Err(Refusal::no("open a game by its name or by its rules")),
        };
        let texts = [&opening.position, &opening.setup];
        if texts.into_iter().flatten().any(|text| text.len() > WORDS_MAX) {
            return Err(Refusal::no("this is too long to be a position"));
        }
        let table = new_name();
        let beginning = Beginning { table, title, opening, kept: None, outbox, id, rules };
        self.seat(beginning)
    }

    /// Sits down at a table, or takes a kept one up again.
    pub(crate) fn join(self: &Arc<Self>, table: &str, outbox: Outbox, id: u64) -> Result<(), Refusal> {
        let there = self.state().tables.get(table).cloned();
        if let Some(sender) = there {
            return send(&sender, Event::Join { outbox, id });
        }
        let missing = || Refusal::no("there is no such game: it may have been thrown away");
        let kept = self.store.load(table).ok_or_else(missing)?;
        let rules = match (&kept.name, &kept.rules) {
            (Some(name), _) => self.host.source(name).ok_or_else(missing)?,
            (None, Some(rules)) => rules.clone(),
            (None, None) => return Err(missing()),
        };
        let opening = Opening { name: kept.name.clone(), rules: kept.rules.clone(), ..Opening::default() };
        let (table, title) = (table.to_owned(), kept.title.clone());
        self.seat(Beginning { table, title, opening, kept: Some(kept), outbox, id, rules })
    }

    /// Gives an order to a table.
    pub(crate) fn order(&self, table: &str, order: Order, outbox: Outbox, id: u64) -> Result<(), Refusal> {
        let sender = self.state().tables.get(table).cloned();
        let sender = sender.ok_or_else(|| Refusal::no("join the game first: it is not open"))?;
        send(&sender, Event::Order { order, outbox, id })
    }

    /// Leaves one table, or all.
    pub(crate) fn leave(&self, table: Option<&str>, connection: u64) {
        let senders: Vec<SyncSender<Event>> = match table {
            Some(table) => self.state().tables.get(table).cloned().into_iter().collect(),
            None => self.state().tables.values().cloned().collect(),
        };
        for sender in senders {
            // A table that is too busy to hear it notices when it tells news.
            let _ = sender.try_send(Event::Leave(connection));
        }
    }

    /// Throws a kept game away.
    pub(crate) fn forget(&self, table: &str) {
        let sender = self.state().tables.get(table).cloned();
        match sender {
            Some(sender) => drop(sender.try_send(Event::Forget)),
            None => self.store.forget(table),
        }
    }

    /// The kept games.
    pub(crate) fn kept(&self) -> Vec<(String, Kept)> {
        self.store.all()
    }

    /// Tells all that the end has come, and lets all tables end.
    pub(crate) fn close(&self) {
        let senders: Vec<SyncSender<Event>> = {
            let mut state = self.state();
            state.closing = true;
            state.houses.clear();
            state.tables.values().cloned().collect()
        };
        senders.into_iter().for_each(|sender| drop(sender.try_send(Event::Close)));
    }

    /// A table has come to its end.
    pub(crate) fn gone(&self, table: &str) {
        self.state().tables.remove(table);
    }

    fn seat(self: &Arc<Self>, beginning: Beginning) -> Result<(), Refusal> {
        let mut hasher = DefaultHasher::new();
        beginning.rules.hash(&mut hasher);
        let key = hasher.finish();
        let mut state = self.state();
        if state.closing {
            return Err(Refusal::wait("the server is being stopped"));
        }
        if state.tables.len() >= self.bounds.tables {
            return Err(Refusal::wait(format!(
                "{} games are open, and no more can be: try again later",
                state.tables.len()
            )));
        }
        let beginning = match state.houses.get(&key) {
            Some(house) => match house.send(beginning) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(beginning)) => beginning,
            },
            None => beginning,
        };
        if state.houses.len() >= self.bounds.rules {
            return Err(Refusal::wait("too many different games are open: try again later"));
        }
        let (sender, receiver) = mpsc::channel();
        let (hall, rules) = (Arc::clone(self), beginning.rules.clone());
        let started = thread::Builder::new()
            .name("house".to_owned())
            .stack_size(search::STACK_BYTES)
            .spawn(move || hall.run_house(key, &rules, receiver));
        started.map_err(|error| Refusal::wait(format!("no thread can be started: {error}")))?;
        let _ = sender.send(beginning);
        state.houses.insert(key, sender);
        Ok(())
    }

    fn run_house(self: Arc<Self>, key: u64, rules: &str, waiting: Receiver<Beginning>) {
        let waiting = Mutex::new(waiting);
        let house = House { hall: Arc::clone(&self), key, waiting: &waiting };
        let opened =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.host.with_game(rules, house)));
        let message = match opened {
            Ok(Ok(())) => return,
            Ok(Err(message)) => message,
            Err(_) => "these rules cannot be opened: a mistake of ours".to_owned(),
        };
        // The asker is told why; no other can come in meanwhile.
        let mut state = self.state();
        state.houses.remove(&key);
        let waiting = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        waiting.try_iter().for_each(|beginning| beginning.refuse(message.clone()));
    }

    /// Enters a table into the list; `None` if there is no room any more.
    fn enter(&self, table: &str) -> Option<(SyncSender<Event>, Receiver<Event>)> {
        let mut state = self.state();
        if state.tables.len() >= self.bounds.tables || state.closing {
            return None;
        }
        let (sender, receiver) = mpsc::sync_channel(ORDERS_WAITING_MAX);
        state.tables.insert(table.to_owned(), sender.clone());
        Some((sender, receiver))
    }
}

/// Everything by one set of rules.
struct House<'run, H> {
    hall: Arc<Hall<H>>,
    key: u64,
    waiting: &'run Mutex<Receiver<Beginning>>,
}

impl<H: Host> Work for House<'_, H> {
    type Result = ();

    fn run<G: Game>(self, game: &G) {
        let House { hall, key, waiting } = self;
        let tables = std::sync::atomic::AtomicUsize::new(0);
        thread::scope(|scope| {
            let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let beginning = match waiting.recv_timeout(EMPTY_HOUSE) {
                    Ok(beginning) => beginning,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let mut state = hall.state();
                        if tables.load(std::sync::atomic::Ordering::SeqCst) > 0 {
                            continue;
                        }
                        match waiting.try_recv() {
                            Ok(beginning) => beginning,
                            Err(_) => {
                                state.houses.remove(&key);
                                return;
                            }
                        }
                    }
                };
                let (hall, tables) = (Arc::clone(&hall), &tables);
                tables.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                let table = move || {
                    run_table(&hall, game, beginning, scope);
                    tables.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                };
                let builder = thread::Builder::new().name("table".to_owned()).stack_size(search::STACK_BYTES);
                if builder.spawn_scoped(scope, table).is_err() {
                    tables.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                }
            }
        });
    }
}

fn run_table<'scope, 'env, G: Game, H: Host + 'env>(
    hall: &Arc<Hall<H>>,
    game: &'env G,
    beginning: Beginning,
    scope: &'scope thread::Scope<'scope, 'env>,
) {
    let (outbox, id, name) = (beginning.outbox.clone(), beginning.id, beginning.table.clone());
    let run = || -> Result<(), Refusal> {
        let start = game.info().start.clone();
        let start = start
            .ok_or_else(|| Refusal::no("these rules have no `setup`: they do not say where a game begins"))?;
        let seat = Seated::new(Arc::clone(&hall.host), game, start)?;
        // Two may take up the same kept game at once: the second finds the table of the first.
        if let Some(sender) = hall.state().tables.get(&name).cloned() {
            return send(&sender, Event::Join { outbox: outbox.clone(), id });
        }
        let entered = hall.enter(&name);
        let (sender, events) =
            entered.ok_or_else(|| Refusal::wait("too many games are open: try again later"))?;
        let result = GameTable::serve(hall, Box::new(seat), beginning, scope, (sender, events));
        hall.gone(&name);
        result
    };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    let refusal = match result {
        Ok(Ok(())) => return,
        Ok(Err(refusal)) => refusal,
        Err(_) => {
            hall.gone(&name);
            Refusal::no("the game broke: a mistake of ours. It was kept up to the last move")
        }
    };
    outbox.tell(crate::message::answer(id, Err(refusal)));
}

fn send(sender: &SyncSender<Event>, event: Event) -> Result<(), Refusal> {
    sender.try_send(event).map_err(|error| match error {
        TrySendError::Full(_) => Refusal::wait("the game is busy: try again in a moment"),
        TrySendError::Disconnected(_) => Refusal::wait("the game was just closed: join it again"),
    })
}

/// A name that cannot be guessed.
pub(crate) fn new_name() -> String {
    let mut bytes = [0_u8; 10];
    // Without a source of chance there is still no harm: names are checked when a table is entered.
    if getrandom::fill(&mut bytes).is_err() {
        bytes[..8].copy_from_slice(&store::now().to_le_bytes());
    }
    let letters = b"abcdefghijklmnopqrstuvwxyz234567";
    bytes
        .iter()
        .flat_map(|byte| [byte & 31, byte >> 3])
        .map(|five| char::from(letters[usize::from(five)]))
        .collect()
}

/// What rules from a page are called: by their first comment `# title:`, or just rules.
fn title_of(rules: &str) -> String {
    let title = rules.lines().find_map(|line| line.strip_prefix("# title:"));
    title.map_or_else(|| "Your game".to_owned(), |title| title.trim().chars().take(60).collect())
}
