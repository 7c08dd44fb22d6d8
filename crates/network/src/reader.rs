//! Numbers from the front of bytes, little-endian: what files of networks, policies and their samples are read with.

/// What is left to be read. Every question is answered with nothing where the bytes end too early.
pub struct Reader<'bytes>(pub &'bytes [u8]);

impl Reader<'_> {
    /// The next bytes.
    pub fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number of 16 bits.
    pub fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    /// A number of 32 bits.
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// A number of 32 bits that counts something.
    pub fn size(&mut self) -> Option<usize> {
        self.u32().map(|size| size as usize)
    }

    /// So many numbers of 16 bits.
    pub fn i16s(&mut self, count: usize) -> Option<Vec<i16>> {
        (0..count).map(|_| self.bytes().map(i16::from_le_bytes)).collect()
    }

    /// So many numbers of 32 bits.
    pub fn i32s(&mut self, count: usize) -> Option<Vec<i32>> {
        (0..count).map(|_| self.bytes().map(i32::from_le_bytes)).collect()
    }

    /// A text of at most so many bytes, behind its length.
    pub fn text(&mut self, most: u32) -> Option<String> {
        let length = self.u32().filter(|length| *length <= most)? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}
