//! States with all that travels along, as bytes of one size: signature, moves made, last move, the state itself and
//! the steps that led there; where databases are divided, also what is known of its bound. In stacks and messages they
//! lie one behind the other.

/// How records of an iteration look.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Form {
    state_bytes: usize,
    step_bits: usize,
    path_bytes: usize,
    /// Bytes for what is known of a state on its way from look to look.
    known_bytes: usize,
}

/// Bytes of a number of looks and of what is known.
const KNOWN: usize = 3;

const SIGNATURE: usize = 0;
const MADE: usize = 8;
const LAST: usize = 10;
const STATE: usize = 12;

impl Form {
    /// For lines of at most so many moves.
    pub(super) fn new(state_bytes: usize, step_bits: u32, length_max: u32) -> Form {
        let step_bits = step_bits as usize;
        let path_bytes = (length_max as usize * step_bits).div_ceil(8);
        Form { state_bytes, step_bits, path_bytes, known_bytes: 0 }
    }

    /// The same for states that are looked up on their way.
    pub(super) fn with_looks(self) -> Form {
        Form { known_bytes: KNOWN, ..self }
    }

    pub(super) fn bytes(&self) -> usize {
        STATE + self.state_bytes + self.path_bytes + self.known_bytes
    }

    /// Looks that have been made, and what is known since.
    pub(super) fn known(&self, record: &[u8]) -> (usize, u16) {
        match self.known_bytes {
            0 => (0, 0),
            _ => {
                let first = self.bytes() - KNOWN;
                (usize::from(record[first]), u16::from_le_bytes([record[first + 1], record[first + 2]]))
            }
        }
    }

    /// Writes down how many looks have been made, and what is known since.
    pub(super) fn note(&self, record: &mut [u8], looks: usize, known: u16) {
        if self.known_bytes > 0 {
            let first = self.bytes() - KNOWN;
            record[first] = looks as u8;
            record[first + 1..first + KNOWN].copy_from_slice(&known.to_le_bytes());
        }
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
        self.note(record, 0, 0);
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

    #[test]
    fn what_is_known_of_a_state_does_not_pass_to_its_sons() {
        let form = Form::new(2, 3, 7).with_looks();
        let mut record = form.first(1, 0, &[1, 2]);
        assert_eq!(form.known(&record), (0, 0));
        form.note(&mut record, 2, 513);
        assert_eq!((form.known(&record), form.state(&record)), ((2, 513), &[1, 2][..]));
        let mut son = Vec::new();
        form.append(&record, 2, 0, 5, &[2, 1], &mut son);
        assert_eq!((form.known(&son), form.path(&son), son.len()), ((0, 0), vec![5], form.bytes()));
    }
}
