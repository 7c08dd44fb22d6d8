//! Breadth-first search with everything on disk, for spaces that do not fit into memory. Positions are records of one
//! size. What follows a level is sorted in memory, a part at a time, and written down; then all parts are merged with
//! what is known, and what is in the parts only is the next level.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// All positions found so far, in files of a folder that is removed in the end.
#[derive(Debug)]
pub struct External {
    folder: PathBuf,
    /// Bytes of a record.
    bytes: usize,
    /// Bytes of memory to sort in.
    room: usize,
    newest: u64,
    total: u64,
}

/// Sorted records of a file, one after the other.
struct Records {
    file: BufReader<File>,
    /// The record that comes next; empty at the end.
    next: Vec<u8>,
}

impl Records {
    fn open(path: &Path, bytes: usize) -> io::Result<Records> {
        let mut records =
            Records { file: BufReader::with_capacity(1 << 16, File::open(path)?), next: vec![0; bytes] };
        records.advance()?;
        Ok(records)
    }

    fn advance(&mut self) -> io::Result<()> {
        match self.file.read_exact(&mut self.next) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => self.next.clear(),
            result => result?,
        }
        Ok(())
    }
}

impl External {
    /// Goes on from what is known: these records, of which the last `newest` are the last level. They need not be
    /// sorted.
    ///
    /// # Errors
    /// When files cannot be written.
    pub fn new<'record>(
        folder: PathBuf,
        bytes: usize,
        room: usize,
        known: impl Iterator<Item = &'record [u8]>,
        newest: usize,
    ) -> io::Result<External> {
        fs::create_dir_all(&folder)?;
        let mut external = External { folder, bytes, room, newest: newest as u64, total: 0 };
        let mut records: Vec<&[u8]> = known.collect();
        external.total = records.len() as u64;
        let first = records.len().saturating_sub(newest);
        external.write("level", records[first..].iter().copied())?;
        records.sort_unstable();
        external.write("known", records.into_iter())?;
        Ok(external)
    }

    /// How many records the newest level has.
    #[must_use]
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// How many records there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write<'record>(&self, name: &str, records: impl Iterator<Item = &'record [u8]>) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(self.path(name))?);
        for record in records {
            file.write_all(record)?;
        }
        file.flush()
    }

    /// Finds the next level. `follow` appends what follows a record to a list of records.
    ///
    /// # Errors
    /// When files cannot be read or written, and what `follow` says.
    pub fn advance<E: From<io::Error>>(
        &mut self,
        mut follow: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut level = Records::open(&self.path("level"), self.bytes)?;
        let (mut found, mut parts) = (Vec::new(), 0);
        // Sorting takes a reference for each record.
        let most = self.room / (self.bytes + size_of::<&[u8]>()) * self.bytes;
        while !level.next.is_empty() {
            follow(&level.next, &mut found)?;
            level.advance()?;
            if found.len() >= most {
                self.write_part(&mut found, &mut parts)?;
            }
        }
        self.write_part(&mut found, &mut parts)?;
        Ok(self.merge(parts)?)
    }

    fn write_part(&self, found: &mut Vec<u8>, parts: &mut usize) -> io::Result<()> {
        let mut records: Vec<&[u8]> = found.chunks_exact(self.bytes).collect();
        records.sort_unstable();
        records.dedup();
        self.write(&format!("part{parts}"), records.into_iter())?;
        *parts += 1;
        found.clear();
        Ok(())
    }

    /// What is in the parts and not known becomes the level, and is known from now on.
    fn merge(&mut self, parts: usize) -> io::Result<()> {
        let mut known = Records::open(&self.path("known"), self.bytes)?;
        let mut level = BufWriter::new(File::create(self.path("level"))?);
        let mut all = BufWriter::new(File::create(self.path("all"))?);
        let part = |number: usize| Records::open(&self.path(&format!("part{number}")), self.bytes);
        let mut open: Vec<Records> = (0..parts).map(part).collect::<io::Result<_>>()?;
        self.newest = 0;
        loop {
            let least = open.iter().map(|part| &part.next).filter(|next| !next.is_empty()).min();
            let Some(least) = least.cloned() else { break };
            while !known.next.is_empty() && known.next < least {
                all.write_all(&known.next)?;
                known.advance()?;
            }
            if known.next != least {
                level.write_all(&least)?;
                all.write_all(&least)?;
                self.newest += 1;
            }
            for part in open.iter_mut().filter(|part| part.next == least) {
                part.advance()?;
            }
        }
        while !known.next.is_empty() {
            all.write_all(&known.next)?;
            known.advance()?;
        }
        level.flush()?;
        all.flush()?;
        self.total += self.newest;
        for number in 0..parts {
            fs::remove_file(self.path(&format!("part{number}")))?;
        }
        fs::rename(self.path("all"), self.path("known"))
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below a thousand, from each of which moves lead to its double and to the next one.
    fn follow(record: &[u8], found: &mut Vec<u8>) -> io::Result<()> {
        let number = u16::from_be_bytes([record[0], record[1]]);
        for next in [number * 2 % 1000, (number + 1) % 1000] {
            found.extend(next.to_be_bytes());
        }
        Ok(())
    }

    #[test]
    fn levels_are_those_of_a_search_in_memory() {
        let mut distance = vec![u32::MAX; 1000];
        distance[1] = 0;
        let mut expected = vec![1];
        let mut level = vec![1_u16];
        while !level.is_empty() {
            let mut next = Vec::new();
            for number in &level {
                for to in [number * 2 % 1000, (number + 1) % 1000] {
                    if distance[usize::from(to)] == u32::MAX {
                        distance[usize::from(to)] = expected.len() as u32;
                        next.push(to);
                    }
                }
            }
            expected.push(next.len() as u64);
            level = next;
        }
        let folder = std::env::temp_dir().join(format!("multigame-external-{}", std::process::id()));
        let start = 1_u16.to_be_bytes();
        // Room for three records: everything is done in many parts.
        let mut external = External::new(folder.clone(), 2, 60, [&start[..]].into_iter(), 1).unwrap();
        let mut found = vec![external.newest()];
        while external.newest() > 0 {
            external.advance(follow).unwrap();
            found.push(external.newest());
        }
        assert_eq!(found, expected);
        assert_eq!(external.total(), 1000);
        drop(external);
        assert!(!folder.exists());
    }
}
