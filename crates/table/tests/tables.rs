//! Both tables with every replacement: what goes in comes out, what is worthy stays, and no mixture of entries
//! is ever believed, however many threads write.

#![allow(clippy::unwrap_used)]

use game::Signature;
use table::{Bound, Bucketed, Entry, MoveTag, Replacement, Stored, Table, TwoWay};

fn tables(bytes: usize) -> Vec<Box<dyn Table + Sync>> {
    let mut tables: Vec<Box<dyn Table + Sync>> = Vec::new();
    for replacement in Replacement::ALL {
        tables.push(Box::new(Bucketed::with_bytes(bytes, replacement)));
        tables.push(Box::new(TwoWay::with_bytes(bytes, replacement)));
    }
    tables
}

/// An entry that is a function of its signature and a variant, so that a mixture can be recognised.
fn entry_of(signature: Signature, variant: u64) -> Entry {
    let bits =
        (signature.0 ^ variant.wrapping_mul(0x2545_f491_4f6c_dd1d)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Entry {
        score: bits as i32,
        bound: [Bound::Exact, Bound::Lower, Bound::Upper][(bits >> 33) as usize % 3],
        depth: (bits >> 40) as u8 % 20,
        best: MoveTag::from_bits((bits >> 20) as u32),
        effort: (bits >> 50) as u8 % 64,
        generation: 0,
    }
}

#[test]
fn what_goes_in_comes_out() {
    for table in tables(1 << 16) {
        let signature = Signature(0x1234_5678_9abc_def0);
        let entry = entry_of(signature, 0);
        assert_eq!(table.probe(signature), None);
        assert_eq!(table.store(signature, entry), Stored::Fresh);
        assert_eq!(table.probe(signature), Some(entry));
        assert_eq!(table.store(signature, entry), Stored::Updated);
        table.clear();
        assert_eq!(table.probe(signature), None);
    }
}

#[test]
fn worthy_entries_stay() {
    let plain = Entry { score: 0, bound: Bound::Lower, depth: 1, best: None, effort: 1, generation: 0 };
    for table in tables(0) {
        let deep = Entry { depth: 9, effort: 30, ..plain };
        table.store(Signature(1), deep);
        for signature in 2..50 {
            table.store(Signature(signature), plain);
        }
        assert_eq!(table.probe(Signature(1)), Some(deep));
        assert!(table.probe(Signature(49)).is_some(), "the latest entry is there, too");
    }
}

#[test]
fn old_entries_go_first_by_age() {
    let plain = Entry { score: 0, bound: Bound::Lower, depth: 9, best: None, effort: 1, generation: 0 };
    let table = Bucketed::with_bytes(0, Replacement::Age);
    for signature in 1..=4 {
        table.store(Signature(signature), plain);
    }
    assert_eq!(table.full_per_mille(), 1000);
    table.next_generation();
    assert_eq!(table.full_per_mille(), 0);
    for signature in 5..=8 {
        assert_eq!(table.store(Signature(signature), Entry { depth: 1, ..plain }), Stored::Replaced);
    }
    assert!((5..=8).all(|signature| table.probe(Signature(signature)).is_some()));
}

#[test]
fn sizes_are_kept() {
    assert_eq!(Bucketed::new(1, Replacement::Age).capacity(), (1 << 20) / 16);
    assert_eq!(TwoWay::new(1, Replacement::Age).capacity(), (1 << 20) / 16);
}

#[test]
fn threads_never_see_a_mixture() {
    const VARIANTS: u64 = 8;
    for table in tables(1 << 10) {
        let table = &*table;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(thread);
                    let mut hits = 0;
                    for _ in 0..100_000 {
                        // Few signatures in few buckets: writers meet all the time.
                        let signature = Signature(random.u64(1..257).wrapping_mul(0x0101_0101_0101_0101));
                        if let Some(found) = table.probe(signature) {
                            let whole = (0..VARIANTS).any(|variant| {
                                Entry { generation: 0, ..found } == entry_of(signature, variant)
                            });
                            assert!(whole, "{signature}: {found:?}");
                            hits += 1;
                        }
                        table.store(signature, entry_of(signature, random.u64(..VARIANTS)));
                        if random.u32(..1000) == 0 {
                            table.next_generation();
                        }
                    }
                    assert!(hits > 1000, "the test tests something: {hits}");
                });
            }
        });
    }
}
