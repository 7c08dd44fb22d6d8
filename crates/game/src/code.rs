//! Keys that are columns of a check matrix: Zugzwang's signatures. Keys made by mixing differ by chance; these differ
//! by construction wherever two positions differ in little, because the code that the matrix checks has no short
//! words.
//!
//! The code is the BCH code of length 65,535 that corrects three errors, with a parity bit: any seven columns or
//! fewer are linearly independent. A slot takes 64 columns, one for each of its first values.

/// The field has this many elements: 2^16.
const BITS: u32 = 16;
/// x^16 + x^12 + x^3 + x + 1, whose root generates the field.
const POLYNOMIAL: u32 = 0x1_100b;
const ORDER: u32 = (1 << BITS) - 1;
/// Columns of a slot.
const VALUES: u32 = 64;

/// The key of a value in a slot, if the matrix has a column for it. The bits that the code leaves over are those of
/// `mixed`.
#[must_use]
pub(crate) fn column(slot: u32, value: i32, mixed: u64) -> Option<u64> {
    let value = u32::try_from(value).ok().filter(|&value| value < VALUES)?;
    let index = slot.checked_mul(VALUES)?.checked_add(value).filter(|&index| index < ORDER)?;
    let [first, third, fifth] = [1, 3, 5].map(|factor| u64::from(power(index * factor % ORDER)));
    Some(first << 48 | third << 32 | 1 << 31 | (mixed & 0x7fff) << 16 | fifth)
}

/// The root of the polynomial to a power.
fn power(exponent: u32) -> u32 {
    let (mut result, mut base) = (1, 2);
    for bit in 0..BITS {
        if exponent >> bit & 1 != 0 {
            result = product(result, base);
        }
        base = product(base, base);
    }
    result
}

/// The product of two elements of the field.
fn product(left: u32, right: u32) -> u32 {
    let (mut sum, mut shifted) = (0, left);
    for bit in 0..BITS {
        if right >> bit & 1 != 0 {
            sum ^= shifted;
        }
        shifted <<= 1;
        if shifted >> BITS != 0 {
            shifted ^= POLYNOMIAL;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_generates_the_field() {
        let mut seen = vec![false; 1 << BITS];
        let mut element = 1;
        for _ in 0..ORDER {
            assert!(!std::mem::replace(&mut seen[element as usize], true));
            element = product(element, 2);
        }
        assert_eq!(element, 1);
        assert_eq!(power(ORDER - 1), (0..ORDER - 1).fold(1, |sum, _| product(sum, 2)));
    }

    /// What the code has at least is seen without the bits that chance gives.
    #[test]
    fn seven_columns_never_cancel() {
        const CODE: u64 = !(0x7fff << 16);
        let columns: Vec<u64> = (0..6)
            .flat_map(|slot| (1..13).map(move |value| column(slot, value, 0).unwrap() & CODE))
            .collect();
        // No two sums of up to three are the same: six do not cancel. Parity tells seven from none.
        let mut sums = std::collections::HashSet::new();
        for (first, left) in columns.iter().enumerate() {
            assert!(sums.insert(*left));
            for (second, middle) in columns.iter().enumerate().skip(first + 1) {
                assert!(sums.insert(left ^ middle));
                for right in &columns[second + 1..] {
                    assert!(sums.insert(left ^ middle ^ right), "six columns cancel");
                }
            }
        }
        assert!(columns.iter().all(|column| column >> 31 & 1 != 0));
    }
}
