//! Queens on a board, none of which attacks another: everything is counted.

use parallel::dib::Problem;

/// A board with so many rows.
pub(crate) struct Queens(pub(crate) u32);

/// The queens of the first rows: columns, and diagonals as they cross the next row.
#[derive(Clone)]
pub(crate) struct Rows {
    filled: u32,
    columns: u32,
    rising: u32,
    falling: u32,
}

impl Problem for Queens {
    type Piece = Rows;
    type Outcome = u64;

    fn root(&self) -> Rows {
        Rows { filled: 0, columns: 0, rising: 0, falling: 0 }
    }

    fn children(&self, rows: &Rows, children: &mut Vec<Rows>) {
        let all = (1 << self.0) - 1;
        let mut free = all & !(rows.columns | rows.rising | rows.falling);
        while free != 0 && rows.filled < self.0 {
            let queen = free & free.wrapping_neg();
            free ^= queen;
            children.push(Rows {
                filled: rows.filled + 1,
                columns: rows.columns | queen,
                rising: (rows.rising | queen) << 1 & all,
                falling: (rows.falling | queen) >> 1,
            });
        }
    }

    fn outcome(&self, rows: &Rows) -> u64 {
        u64::from(rows.filled == self.0)
    }

    fn nothing(&self) -> u64 {
        0
    }

    fn combine(&self, one: u64, other: u64) -> u64 {
        one + other
    }

    fn write_piece(&self, rows: &Rows, into: &mut Vec<u8>) {
        for word in [rows.filled, rows.columns, rows.rising, rows.falling] {
            into.extend(word.to_le_bytes());
        }
    }

    fn read_piece(&self, bytes: &[u8]) -> Option<Rows> {
        let (words, _) = bytes.as_chunks::<4>();
        let &[filled, columns, rising, falling] = words else { return None };
        let [filled, columns, rising, falling] = [filled, columns, rising, falling].map(u32::from_le_bytes);
        Some(Rows { filled, columns, rising, falling })
    }

    fn write_outcome(&self, count: &u64, into: &mut Vec<u8>) {
        into.extend(count.to_le_bytes());
    }

    fn read_outcome(&self, bytes: &[u8]) -> Option<u64> {
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }
}
