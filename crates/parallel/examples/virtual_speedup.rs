//! Throw-away experiments.
#![allow(clippy::unwrap_used, missing_docs)]
use fabric::simulation::{Machine, Network, Topology};
use game::Game;
use parallel::Measures;
use parallel::stealing::*;
use search::*;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str, default: &str| {
        args.iter()
            .find_map(|a| a.strip_prefix(&format!("{key}=")).map(str::to_owned))
            .unwrap_or(default.to_owned())
    };
    let number = |key: &str, default: &str| get(key, default).parse::<f64>().unwrap();
    let game = native::NativeChess::new();
    let network = Network::from_name(&get("network", "transputer")).unwrap();
    let depth = number("depth", "5") as i32;
    let cost = Duration::from_nanos(number("cost", "3190") as u64);
    let mut policy = Policy::from_name(&get("policy", "ybwc")).unwrap();
    policy.depth_min = number("min", "1") as i32;
    policy.slow_start = number("slow", "0") > 0.0;
    policy.helps = number("helps", "1") > 0.0;
    policy.tests_first = policy.tests_first || number("tests", "0") > 0.0;
    policy.victims = match get("victims", "any").as_str() {
        "any" => Victims::Anybody,
        "near" => Victims::Neighbours { hops: number("hops", "8") as u8 },
        _ => Victims::Father { sons: 16 },
    };
    let tables = match get("tables", "partitioned").as_str() {
        "shared" => TableKind::Shared,
        "local" => TableKind::Local,
        _ => TableKind::Partitioned,
    };
    let file = std::fs::read_to_string("suites/bratko-kopec.epd").unwrap();
    let skip = number("skip", "0") as usize;
    let count = number("count", "4") as usize;
    let knowledge = Knowledge::learn(&game, game.info().start.as_ref().unwrap()).unwrap();
    let mut settings = Settings::new(Engine::from_name(&get("engine", "negascout")).unwrap()).exact();
    settings.heuristics.quiescence = number("quiet", "1") > 0.0;
    let positions: Vec<_> = file
        .lines()
        .filter(|l| !l.starts_with('#') && l.contains(" bm "))
        .skip(skip)
        .take(count)
        .map(|line| {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            game::text::read(game.info(), &format!("{} 0 1", fen.join(" "))).unwrap()
        })
        .collect();
    let bytes = number("table", "2560000") as usize;
    let mut base: Vec<(f64, u64, i32)> = Vec::new();
    for processors in get("p", "1,16,64,256").split(',').map(|p| p.parse::<usize>().unwrap()) {
        let mut machine = Machine::with_network(processors, network);
        if let Some(t) = Topology::from_name(&get("topology", "")) {
            machine.topology = t;
        }
        machine.seed = number("seed", "1") as u64;
        let laboratory = Laboratory { machine, node_cost: cost, tables, table_bytes: bytes };
        let (mut time, mut nodes, mut t1, mut k1) = (0.0, 0, 0.0, 0);
        let mut all = Measures::default();
        let began = Instant::now();
        for (i, position) in positions.iter().enumerate() {
            let root = Root::new(&game, position);
            let task = Task {
                game: &game,
                root: &root,
                settings,
                limits: Limits::to_depth(depth),
                knowledge: &knowledge,
                policy,
            };
            let found = simulated(&task, &laboratory).unwrap();
            let t = found.time.as_secs_f64();
            if processors == 1 {
                base.push((t, found.together.report.nodes, found.together.report.score.value()));
            }
            if let Some(b) = base.get(i) {
                assert_eq!(b.2, found.together.report.score.value());
                if number("each", "0") > 0.0 {
                    println!(
                        "  position {i}: t1 {:.1} tn {t:.2} speedup {:.1} nodes {} -> {}",
                        b.0,
                        b.0 / t,
                        b.1,
                        found.together.report.nodes
                    );
                }
                t1 += b.0;
                k1 += b.1;
            }
            time += t;
            nodes += found.together.report.nodes;
            for m in found.together.measures.iter().flatten() {
                all += m;
            }
        }
        let n = processors as f64;
        let pc = |d: Duration| 100.0 * d.as_secs_f64() / (n * time);
        println!(
            "p {processors:5} speedup {:7.2} overhead {:6.1}% load {:5.1}% perf {:5.1}% slaves {:4.1}% sync {:4.1}% look {:4.1}% | virtual {time:.2} s, {nodes} nodes, jobs {}, real {:.1} s ({:.0} ns/node) msgs {:?}",
            t1 / time,
            100.0 * (nodes as f64 / k1.max(1) as f64 - 1.0),
            pc(all.search),
            100.0 * (nodes as f64 / all.search.as_secs_f64()) / (k1.max(1) as f64 / t1.max(1e-9)),
            pc(all.wait_for_slaves),
            pc(all.synchronise),
            pc(all.look_for_work),
            all.jobs,
            began.elapsed().as_secs_f64(),
            began.elapsed().as_secs_f64() * 1e9 / nodes as f64,
            all.messages.map(|m| m.0)
        );
    }
}
