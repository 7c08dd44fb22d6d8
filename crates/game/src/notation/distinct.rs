//! Names that differ: of all the forms in which moves can be written, one for each move that no other has.

use rustc_hash::{FxHashMap, FxHashSet};

/// Texts that mean a certain move already.
pub type Meanings = FxHashMap<String, usize>;

/// Gives each of so many moves a name. `best` is the form that is wanted; `others`, which is asked only where that
/// will not do, are the next ones. What two moves could be called, neither is called, unless one of them has
/// nothing better; what `meanings` says of a move, no other is called.
pub fn distinct(
    count: usize,
    meanings: &Meanings,
    best: impl Fn(usize) -> String,
    others: impl Fn(usize) -> Vec<String>,
) -> Vec<String> {
    let mut names: Vec<String> = (0..count).map(best).collect();
    let mut open: Vec<usize> = (0..count).collect();
    let mut further: FxHashMap<usize, std::vec::IntoIter<String>> = FxHashMap::default();
    // How often a name has been wanted.
    let mut wanted: FxHashMap<String, u32> = FxHashMap::default();
    let is_free = |index: usize, name: &str| meanings.get(name).is_none_or(|&owner| owner == index);
    let (mut spent, mut taken) = (Vec::new(), FxHashSet::default());
    while !open.is_empty() {
        for &index in open.iter().filter(|&&index| is_free(index, &names[index])) {
            *wanted.entry(names[index].clone()).or_default() += 1;
        }
        open.retain(|&index| {
            let settled = is_free(index, &names[index]) && wanted[&names[index]] == 1;
            if settled {
                taken.insert(names[index].clone());
            }
            !settled
        });
        open.retain(|&index| {
            let next = further.entry(index).or_insert_with(|| others(index).into_iter()).next();
            match next {
                Some(form) => names[index] = form,
                None => spent.push(index),
            }
            spent.last() != Some(&index)
        });
    }
    for index in spent {
        while !is_free(index, &names[index]) || !taken.insert(names[index].clone()) {
            names[index] = format!("{}({})", names[index], index + 1);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(forms: &[&[&str]], meanings: &[(&str, usize)]) -> Vec<String> {
        let meanings = meanings.iter().map(|&(text, index)| (text.to_owned(), index)).collect();
        let others = |index: usize| forms[index][1..].iter().map(|&form| form.to_owned()).collect();
        distinct(forms.len(), &meanings, |index| forms[index][0].to_owned(), others)
    }

    #[test]
    fn what_two_moves_could_be_called_neither_is_called() {
        assert_eq!(names(&[&["a"], &["b"]], &[]), ["a", "b"]);
        assert_eq!(names(&[&["a", "ab"], &["a", "ac"], &["d"]], &[]), ["ab", "ac", "d"]);
        // Not even a third one whose better name is taken.
        let forms: [&[&str]; 4] = [&["a", "b"], &["a", "c"], &["d", "a", "f"], &["d", "e"]];
        assert_eq!(names(&forms, &[]), ["b", "c", "f", "e"]);
    }

    #[test]
    fn what_a_text_means_already_it_goes_on_meaning() {
        assert_eq!(names(&[&["a", "x"], &["a", "y"]], &[("a", 1)]), ["x", "a"]);
    }

    #[test]
    fn every_move_has_a_name() {
        assert_eq!(names(&[&["a"], &["a", "b"]], &[]), ["a", "b"]);
        assert_eq!(names(&[&["a"], &["a"]], &[]), ["a", "a(2)"]);
    }
}
