//! Virtual machines: time, order, faults, and that a run can be repeated.

use super::*;
use crate::contract::Event;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Sends a number round the ring of all processors, so many times.
fn ring(here: &dyn Processor, rounds: u8) -> Duration {
    let next = ProcessorId((here.id().0 + 1) % here.processors() as u32);
    if here.id() == ProcessorId(0) {
        here.send(next, vec![0]);
    }
    for _ in 0..rounds {
        let Event::Message { bytes, .. } = here.receive() else { panic!("nobody dies") };
        here.charge(MILLISECOND);
        if here.id() != ProcessorId(0) || bytes[0] + 1 < rounds {
            here.send(next, vec![bytes[0] + u8::from(here.id() == ProcessorId(0))]);
        }
    }
    here.now()
}

#[test]
fn disturbances_are_drawn_by_the_seed_and_leave_one_processor_alone() {
    let disturbances = Disturbances { delay: 3, slow: 2, slowness: 5, deaths: 9 };
    let hour = Duration::from_secs(3600);
    let faults = disturbances.faults(4, 7, hour);
    assert_eq!(faults, disturbances.faults(4, 7, hour));
    assert_ne!(faults, disturbances.faults(4, 8, hour));
    assert_eq!((faults.delay, faults.slow.len(), faults.deaths.len()), (3, 2, 3));
    assert!(faults.slow.iter().all(|(_, times)| *times == 5));
    assert!(faults.deaths.iter().all(|(_, time)| *time < hour));
    assert_eq!(disturbances.faults(1, 7, hour), Faults { delay: 3, ..Faults::default() });
    assert_eq!(Disturbances::default().faults(8, 1, hour), Faults::default());
}

/// What processors sleep is seen, and nothing else changes.
#[test]
fn sleep_is_written_down() {
    let program = |here: &dyn Processor| {
        if here.id().0 == 0 {
            here.charge(Duration::from_micros(9));
            here.send(ProcessorId(1), vec![1]);
        } else {
            here.receive();
        }
    };
    let plain = Machine::new(2);
    let watched = Machine { sleeps: Some(Sleeps::default()), ..Machine::new(2) };
    assert_eq!(plain.run(&program).unwrap().trace, watched.run(&program).unwrap().trace);
    let sleeps = watched.sleeps.unwrap();
    let slept = sleeps.lock().unwrap();
    assert_eq!((slept.len(), slept[0].processor, slept[0].from), (1, ProcessorId(1), Duration::ZERO));
    assert!(slept[0].to > Duration::from_micros(9), "{slept:?}");
}

#[test]
fn time_passes_by_work_and_messages() {
    let machine = Machine::new(3);
    let outcome = machine.run(&|here: &dyn Processor| ring(here, 1)).unwrap();
    // Three times a millisecond of work, three messages of 50 + 100 + 50 ns; one byte takes no time.
    assert_eq!(outcome.time, 3 * MILLISECOND + Duration::from_nanos(3 * 200));
    assert_eq!((outcome.messages, outcome.bytes), (3, 3));
}

#[test]
fn a_slow_processor_takes_longer() {
    let mut machine = Machine::new(2);
    machine.faults.slow = vec![(ProcessorId(1), 5)];
    let work = |here: &dyn Processor| {
        here.charge(MILLISECOND);
        here.now()
    };
    let outcome = machine.run(&work).unwrap();
    assert_eq!(outcome.results, [Some(MILLISECOND), Some(5 * MILLISECOND)]);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let trace = |seed, delay| {
        let mut machine = Machine::with_network(16, Network::TRANSPUTER);
        (machine.seed, machine.faults.delay) = (seed, delay);
        machine.run(&|here: &dyn Processor| ring(here, 9)).unwrap().trace
    };
    assert_eq!(trace(1, 10), trace(1, 10));
    assert_ne!(trace(1, 10), trace(2, 10));
    assert_eq!(trace(1, 0), trace(2, 0));
}

#[test]
fn messages_of_a_pair_keep_their_order_and_others_overtake() {
    let mut machine = Machine::new(3);
    machine.faults.delay = 1000;
    let program = |here: &dyn Processor| {
        if here.id() != ProcessorId(2) {
            for number in 0..50 {
                here.send(ProcessorId(2), vec![number]);
            }
            return Vec::new();
        }
        (0..100).map(|_| here.receive()).collect::<Vec<_>>()
    };
    let outcome = machine.run(&program).unwrap();
    let heard = outcome.results[2].as_ref().unwrap();
    let of = |wanted: u32| {
        let numbers = heard.iter().filter_map(move |event| match event {
            Event::Message { from, bytes } if from.0 == wanted => Some(bytes[0]),
            _ => None,
        });
        numbers.collect::<Vec<u8>>()
    };
    assert_eq!(of(0), (0..50).collect::<Vec<u8>>());
    assert_eq!(of(1), (0..50).collect::<Vec<u8>>());
    let first_half = &heard[..50];
    assert!(first_half.iter().any(|event| matches!(event, Event::Message { from: ProcessorId(1), .. })));
}

#[test]
fn the_dead_are_heard_of_after_all_that_they_sent() {
    let mut machine = Machine::new(3);
    machine.faults.delay = 100;
    machine.faults.deaths = vec![(ProcessorId(1), 5 * MILLISECOND)];
    let program = |here: &dyn Processor| {
        let mut heard = Vec::new();
        match here.id() {
            ProcessorId(1) => loop {
                here.send(ProcessorId(0), vec![1]);
                here.charge(MILLISECOND);
                here.poll();
            },
            _ => loop {
                let event = here.receive();
                let died = matches!(event, Event::Died(_));
                heard.push(event);
                if died {
                    return heard;
                }
            },
        }
    };
    let outcome = machine.run(&program).unwrap();
    assert_eq!(outcome.results[1], None);
    assert_eq!(outcome.results[2], Some(vec![Event::Died(ProcessorId(1))]));
    let heard = outcome.results[0].as_ref().unwrap();
    assert!(heard.len() >= 5, "{heard:?}");
}

#[test]
fn a_panic_is_a_death_and_waiting_for_nobody_is_said() {
    let machine = Machine::new(2);
    let program = |here: &dyn Processor| match here.id() {
        ProcessorId(1) => panic!("this panic is part of a test"),
        _ => here.receive(),
    };
    let outcome = machine.run(&program).unwrap();
    assert_eq!(outcome.results, [Some(Event::Died(ProcessorId(1))), None]);
    let stuck = machine.run(&|here: &dyn Processor| here.receive()).unwrap_err();
    assert_eq!((stuck.waiting, stuck.first), (2, ProcessorId(0)));
}

#[test]
fn processors_on_the_way_pay_for_routing() {
    let mut machine = Machine::with_network(9, Network::TRANSPUTER);
    machine.topology = Topology::Grid;
    let program = |here: &dyn Processor| {
        if here.id() == ProcessorId(0) {
            here.send(ProcessorId(2), vec![0; 100]);
        }
        here.charge(MILLISECOND);
        here.poll();
        here.now()
    };
    let outcome = machine.run(&program).unwrap();
    let time = |number: usize| outcome.results[number].unwrap();
    assert_eq!(time(1) - time(4), Duration::from_nanos(Network::TRANSPUTER.routing_cost_ns(100)));
    assert!(time(0) > time(4));
}

#[test]
fn memory_elsewhere_is_reached_after_a_while() {
    let machine = Machine::with_network(2, Network::INFINIBAND);
    let program = |here: &dyn Processor| {
        let other = ProcessorId(1 - here.id().0);
        (here.reach(here.id(), 8, 16), here.reach(other, 8, 16))
    };
    let (own, others) = machine.run(&program).unwrap().results[0].unwrap();
    assert_eq!(own, Duration::ZERO);
    assert_eq!(others, Duration::from_nanos(300 + 2 * 1_300 + 1));
}

#[test]
fn thousands_of_processors_run() {
    let machine = Machine::new(PROCESSORS_MAX);
    let outcome = machine.run(&|here: &dyn Processor| ring(here, 2)).unwrap();
    assert_eq!(outcome.results.iter().flatten().count(), PROCESSORS_MAX);
}

#[test]
fn the_last_processor_dies_too() {
    let mut machine = Machine::new(1);
    machine.faults.deaths = vec![(ProcessorId(0), Duration::from_micros(5))];
    let work = |here: &dyn Processor| {
        while here.now() < Duration::from_micros(100) {
            here.charge(Duration::from_micros(1));
            assert_eq!(here.poll(), None);
        }
    };
    assert_eq!(machine.run(&work).unwrap().results, [None]);
}
