//! What must hold on a cluster, checked by all its processes: `mpirun -n 4 cluster_trial THREADS [measure]`.
//! `scripts/mpi` builds and runs it, on one host and across two emulated ones. A check that fails ends the job with
//! an error. Standard output says which checks were made; `measure` prints times too.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fabric::cluster::Cluster;
use fabric::{Event, Processor, ProcessorId};

const STACK_BYTES: usize = 1 << 20;

type Check = fn(&dyn Processor);
/// Processor 0 answers with what to print.
type Measure = fn(&dyn Processor) -> Option<String>;

const CHECKS: [(&str, Check); 9] = [
    ("ring", ring),
    ("bursts to all keep their order", bursts),
    ("large messages", large_messages),
    ("full mailboxes", full_mailboxes),
    ("mail reaches who polls and never waits", polled),
    ("mail leaves who does not look", busy_sender),
    ("a wait ends in time", wait_in_time),
    ("a panic is heard of by all", panic_is_heard),
    ("unread mail is thrown away at the end", unread),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let threads =
        arguments.next().and_then(|text| text.parse().ok()).expect("cluster_trial THREADS [measure]");
    let measure = arguments.next().is_some_and(|word| word == "measure");
    let cluster = Rc::new(Cluster::join().expect("this is the first time"));
    let speaks = cluster.process() == 0;
    quiet_expected_panics();
    if speaks {
        println!("{} processes x {threads} threads, hosts {:?}", cluster.processes(), cluster.hosts());
    }
    for (name, check) in CHECKS {
        run(&cluster, threads, name, check);
    }
    shared_words(&cluster, threads);
    agreement(&cluster);
    if speaks {
        println!("ok {} checks", CHECKS.len() + 2);
    }
    if measure {
        run_measures(&cluster, threads);
    }
}

/// The trial itself panics in one check; that need not look like a failure.
fn quiet_expected_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<&str>() != Some(&EXPECTED_PANIC) {
            usual(panic);
        }
    }));
}

const EXPECTED_PANIC: &str = "this panic is part of the trial";

/// Runs a check on all processors; the last one may be the one that is made to panic.
fn run(cluster: &Cluster, threads: usize, name: &str, check: Check) {
    let began = Instant::now();
    let results = cluster.run(threads, STACK_BYTES, &|here| check(here));
    let last_process = cluster.process() + 1 == cluster.processes();
    let may_panic = |thread| name.contains("panic") && last_process && thread + 1 == threads;
    for (thread, result) in results.iter().enumerate() {
        assert!(
            result.is_some() != may_panic(thread),
            "{name}: thread {thread} of process {}",
            cluster.process()
        );
    }
    if cluster.process() == 0 {
        println!("ok {name} ({} ms)", began.elapsed().as_millis());
    }
}

fn others(here: &dyn Processor) -> impl Iterator<Item = ProcessorId> {
    let own = here.id();
    everybody(here).filter(move |&id| id != own)
}

fn everybody(here: &dyn Processor) -> impl Iterator<Item = ProcessorId> + use<> {
    (0..here.processors() as u32).map(ProcessorId)
}

fn receive(here: &dyn Processor) -> (ProcessorId, Vec<u8>) {
    match here.receive() {
        Event::Message { from, bytes } => (from, bytes),
        Event::Died(id) => panic!("{id} died"),
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes[..4].try_into().expect("a number has four bytes"))
}

/// Passes a number around 200 times; each adds one.
fn ring(here: &dyn Processor) {
    let count = here.processors() as u32;
    let next = ProcessorId((here.id().0 + 1) % count);
    let rounds = 200;
    if here.id() == ProcessorId(0) {
        here.send(next, 0u32.to_le_bytes().to_vec());
    }
    for round in 0..rounds {
        let value = number(&receive(here).1);
        let steps = if here.id() == ProcessorId(0) {
            (round + 1) * count - 1
        } else {
            round * count + here.id().0 - 1
        };
        assert_eq!(value, steps);
        if here.id() != ProcessorId(0) || round + 1 < rounds {
            here.send(next, (value + 1).to_le_bytes().to_vec());
        }
    }
}

/// Each sends 3000 numbered messages of different sizes to all, itself included, and reads now and then.
fn bursts(here: &dyn Processor) {
    exchange(
        here,
        3000,
        |message, to| (message as usize * 7 + to.index() * 3) % 90,
        |message| message % 50 == 49,
    );
}

/// None reads before all is sent: more than mailboxes hold.
fn full_mailboxes(here: &dyn Processor) {
    exchange(here, 10_000, |_, _| 4, |_| false);
}

/// Messages of up to 1 MB, both ways at once, between small ones.
fn large_messages(here: &dyn Processor) {
    exchange(here, 6, |message, _| [3, 1_000_000, 5000, 70_000, 0, 1_048_576][message as usize], |_| true);
}

/// All to all; checks content and order. `polls` says after which message the sender reads what has arrived.
fn exchange(
    here: &dyn Processor,
    messages: u32,
    size: impl Fn(u32, ProcessorId) -> usize,
    polls: impl Fn(u32) -> bool,
) {
    let mut expected = vec![0; here.processors()];
    let mut read = |from: ProcessorId, bytes: Vec<u8>| {
        let message = &mut expected[from.index()];
        assert_eq!(number(&bytes), *message, "from {from} to {}", here.id());
        let filling = (from.0 + *message) as u8;
        assert!(
            bytes.len() == 4 + size(*message, here.id()) && bytes[4..].iter().all(|&byte| byte == filling)
        );
        *message += 1;
    };
    let mut left = messages as usize * here.processors();
    for message in 0..messages {
        for to in everybody(here) {
            let mut bytes = message.to_le_bytes().to_vec();
            bytes.resize(4 + size(message, to), (here.id().0 + message) as u8);
            here.send(to, bytes);
        }
        while polls(message) {
            let Some(Event::Message { from, bytes }) = here.poll() else { break };
            read(from, bytes);
            left -= 1;
        }
    }
    for _ in 0..left {
        let (from, bytes) = receive(here);
        read(from, bytes);
    }
    assert_eq!(here.poll(), None);
}

/// A program that never sleeps hears of its mail, and its own mail leaves, by polls alone.
fn polled(here: &dyn Processor) {
    for to in others(here) {
        here.send(to, vec![1]);
    }
    let mut heard = 0;
    let began = Instant::now();
    while heard + 1 < here.processors() {
        heard += usize::from(here.poll().is_some());
        assert!(began.elapsed() < Duration::from_secs(20), "only {heard} messages were heard of");
    }
}

/// A thread that sends and then computes without a look has its mail delivered all the same.
fn busy_sender(here: &dyn Processor) {
    let busy = Duration::from_millis(800);
    if here.id() == ProcessorId(0) {
        for to in others(here) {
            here.send(to, vec![2]);
        }
        let until = here.now() + busy;
        while here.now() < until {
            black_box(());
        }
    } else {
        let began = Instant::now();
        assert_eq!(receive(here), (ProcessorId(0), vec![2]));
        assert!(began.elapsed() < busy / 2, "the message took {:?}", began.elapsed());
    }
}

fn wait_in_time(here: &dyn Processor) {
    let began = here.now();
    here.wait(Some(began + Duration::from_millis(5)));
    assert!(here.now() >= began + Duration::from_millis(5));
    assert_eq!(here.poll(), None);
}

/// The last processor sends a word to all and panics: both are heard, in this order.
fn panic_is_heard(here: &dyn Processor) {
    let last = ProcessorId(here.processors() as u32 - 1);
    if here.id() == last {
        for to in others(here) {
            here.send(to, b"farewell".to_vec());
        }
        std::panic::panic_any(EXPECTED_PANIC);
    }
    assert_eq!(receive(here), (last, b"farewell".to_vec()));
    assert_eq!(here.receive(), Event::Died(last));
    // What is sent to the dead is lost, and does no harm.
    here.send(last, vec![0; 100]);
}

fn unread(here: &dyn Processor) {
    for to in others(here) {
        for _ in 0..2000 {
            here.send(to, vec![0; 40]);
        }
    }
}

/// Processes of a host write into each other's segments and see what others wrote; other hosts are out of reach.
fn shared_words(cluster: &Rc<Cluster>, threads: usize) {
    let words = |process: usize| 1000 + 10 * process;
    let (own, hosts) = (cluster.process(), cluster.hosts());
    let shared = cluster.share(words(own)).expect("there is room for a few words");
    let segments = shared.segments();
    for (process, segment) in segments.iter().enumerate() {
        assert_eq!(segment.map(<[_]>::len), (hosts[process] == hosts[own]).then_some(words(process)));
    }
    let neighbours = hosts.iter().filter(|&&host| host == hosts[own]).count();
    // Every thread adds to word 7 of all within reach, and leaves its number in a word of its own.
    let results = cluster.run(threads, STACK_BYTES, &|here| {
        for segment in segments.iter().flatten() {
            segment[7].fetch_add(1, Ordering::Relaxed);
            segment[20 + here.id().index()].store(u64::from(here.id().0) + 5, Ordering::Relaxed);
        }
    });
    assert!(results.iter().all(Option::is_some));
    for segment in segments.iter().flatten() {
        assert_eq!(segment[7].load(Ordering::Relaxed), (neighbours * threads) as u64);
        for (processor, host) in hosts.iter().flat_map(|host| vec![host; threads]).enumerate() {
            let left = if *host == hosts[own] { processor as u64 + 5 } else { 0 };
            assert_eq!(segment[20 + processor].load(Ordering::Relaxed), left);
        }
        assert_eq!(segment[segment.len() - 1].load(Ordering::Relaxed), 0);
    }
    drop(shared);
    // More than there is: an error in all processes, and the job goes on.
    let error = cluster.share(1 << 50).err().expect("no host has so much memory");
    if own == 0 {
        println!(
            "ok shared words within reach of {neighbours} of {} processes; {error}",
            cluster.processes()
        );
    }
}

fn agreement(cluster: &Cluster) {
    assert!(cluster.agree(true));
    assert!(!cluster.agree(cluster.process() > 0));
    let smallest = cluster.run(2 + cluster.process(), STACK_BYTES, &|here| here.processors());
    assert_eq!(smallest, [Some(2 * cluster.processes()); 2]);
}

fn run_measures(cluster: &Cluster, threads: usize) {
    let measures: [(&str, Measure); 4] = [
        ("one way, 32 bytes", |here| ping_pong(here, 32)),
        ("one way, 16 KiB", |here| ping_pong(here, 16 << 10)),
        ("polls of nothing", polls_of_nothing),
        ("a stream of 32-byte messages", stream),
    ];
    for (name, measure) in measures {
        let results = cluster.run(threads, STACK_BYTES, &|here| measure(here));
        if let Some(Some(Some(text))) = results.first() {
            println!("{name}: {text}");
        }
    }
}

/// Processor 0 and the last one send a message to and fro.
fn ping_pong(here: &dyn Processor, bytes: usize) -> Option<String> {
    let (first, last) = (ProcessorId(0), ProcessorId(here.processors() as u32 - 1));
    let trips = 2000;
    let mut times = Vec::new();
    for _ in 0..trips {
        let began = here.now();
        if here.id() == first {
            here.send(last, vec![0; bytes]);
            receive(here);
            times.push((here.now() - began).as_nanos() / 2);
        } else if here.id() == last {
            receive(here);
            here.send(first, vec![0; bytes]);
        }
    }
    times.sort_unstable();
    let at = |percent: usize| *times.get(times.len() * percent / 100).unwrap_or(&0);
    (here.id() == first).then(|| format!("{} ns median, {} ns (5 %), {} ns (95 %)", at(50), at(5), at(95)))
}

fn polls_of_nothing(here: &dyn Processor) -> Option<String> {
    let polls = 2_000_000;
    let began = here.now();
    for _ in 0..polls {
        black_box(here.poll());
    }
    let each = (here.now() - began).as_nanos() as f64 / f64::from(polls);
    (here.id() == ProcessorId(0)).then(|| format!("{each:.1} ns each"))
}

/// Each sends to all others, one message after the other, polling after each.
fn stream(here: &dyn Processor) -> Option<String> {
    let each = 100_000 / here.processors();
    let expected = each * (here.processors() - 1);
    let (mut heard, began) = (0, here.now());
    for _ in 0..each {
        for to in others(here) {
            here.send(to, vec![0; 32]);
            heard += usize::from(here.poll().is_some());
        }
    }
    while heard < expected {
        receive(here);
        heard += 1;
    }
    let rate = expected as f64 / (here.now() - began).as_secs_f64() / 1e6;
    (here.id() == ProcessorId(0)).then(|| format!("{rate:.2} million a second in and out"))
}
