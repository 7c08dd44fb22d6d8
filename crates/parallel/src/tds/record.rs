//! States with all that travels along, as bytes of one size: signature, moves made, last move, the state itself and
//! the steps that led there. In stacks and messages they lie one behind the other.

/// How records of an iteration look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Form {
    state_bytes: usize,
    step_bits: usize,
    path_bytes: usize,
}

const SIGNATURE: usize = 0;
const MADE: usize = 8;
const LAST: usize = 10;
const STATE: usize = 12;

impl Form {
    /// For lines of at most so many moves.
    pub(super) fn new(state_bytes: usize, step_bits: u32, length_max: u32) -> Form {
        let step_bits = step_bits as usize;
        Form { state_bytes, step_bits, path_bytes: (length_max as usize * step_bits).div_ceil(8) }
    }

    pub(super) fn bytes(&self) -> usize {
        STATE + self.state_bytes + self.path_bytes
    }

    /// The record of a state that no move has led to.
    pub(super) fn first(&self, signature: u64, last: u16, state: &[u8]) -> Vec<u8> {
        let mut record = vec![0; self.bytes()];
        self.fill(&mut record, signature, 0, last, state);
        record
    }

    fn fill(&self, record: &mut [u8], signature: u64, made: u16, last: u16, state: &[u8]) {
        record[SIGNATURE..MADE].copy_from_slice(&signature.to_le_bytes());
        record[MADE..LAST].copy_from_slice(&made.to_le_bytes());
        record[LAST..STATE].copy_from_slice(&last.to_le_bytes());
        record[STATE..STATE + self.state_bytes].copy_from_slice(state);
    }

    /// Appends the record of a state that follows another one.
    pub(super) fn append(
        &self,
        father: &[u8],
        signature: u64,
        last: u16,
        step: u16,
        state: &[u8],
        into: &mut Vec<u8>,
    ) {
        let first = into.len();
        into.extend_from_slice(father);
        let record = &mut into[first..];
        let made = made(father);
        self.fill(record, signature, made + 1, last, state);
        let path = &mut record[STATE + self.state_bytes..];
        let from = usize::from(made) * self.step_bits;
        for bit in 0..self.step_bits {
            path[(from + bit) / 8] |= ((step >> bit & 1) as u8) << ((from + bit) % 8);
        }
    }

    pub(super) fn state<'record>(&self, record: &'record [u8]) -> &'record [u8] {
        &record[STATE..STATE + self.state_bytes]
    }

    /// The steps that led to a state.
    pub(super) fn path(&self, record: &[u8]) -> Vec<u16> {
        let path = &record[STATE + self.state_bytes..];
        let bit = |number: usize| u16::from(path[number / 8] >> (number % 8) & 1);
        let step = |number: usize| {
            let from = number * self.step_bits;
            (0..self.step_bits).fold(0, |step, at| step | bit(from + at) << at)
        };
        (0..usize::from(made(record))).map(step).collect()
    }
}

pub(super) fn signature(record: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|byte| record[SIGNATURE + byte]))
}

pub(super) fn made(record: &[u8]) -> u16 {
    u16::from_le_bytes([record[MADE], record[MADE + 1]])
}

pub(super) fn last(record: &[u8]) -> u16 {
    u16::from_le_bytes([record[LAST], record[LAST + 1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_travel_with_their_states() {
        let form = Form::new(3, 5, 9);
        let mut record = form.first(1, 40, &[1, 2, 3]);
        let steps = [17, 0, 31, 4, 9, 1, 30, 2, 21];
        for (number, &step) in steps.iter().enumerate() {
            let mut next = Vec::new();
            form.append(&record, 100 + number as u64, 7, step, &[4, 5, number as u8], &mut next);
            record = next;
        }
        assert_eq!((signature(&record), made(&record), last(&record)), (108, 9, 7));
        assert_eq!(form.state(&record), [4, 5, 8]);
        assert_eq!(form.path(&record), steps);
    }
}
