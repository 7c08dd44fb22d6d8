//! How much memory a table may take: not more than there is.

/// No table is larger, whatever the machine, in MiB.
const TABLE_MIB_MAX: u64 = 1 << 16;
/// Where the system does not say how much memory there is.
const UNKNOWN_MIB: u64 = 4096;

/// The largest table that this machine can hold beside everything else, in MiB.
pub(crate) fn table_mib_max() -> u64 {
    (available_mib() * 3 / 4).clamp(16, TABLE_MIB_MAX)
}

/// What this machine has left, in MiB.
pub(crate) fn available_mib() -> u64 {
    let found = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| mib_in(&text));
    found.unwrap_or(UNKNOWN_MIB)
}

fn mib_in(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib >> 10)
}

/// So much if this machine can hold it, otherwise what it can hold.
pub(crate) fn usual_mib(wanted: u32) -> u32 {
    u64::from(wanted).min(table_mib_max()) as u32
}

/// Reads the size of a table from the command line.
pub(crate) fn table_mib(text: &str) -> Result<u32, String> {
    let most = table_mib_max();
    match text.parse::<u64>() {
        Ok(size) if (1..=most).contains(&size) => Ok(size as u32),
        _ => Err(format!("give a number of MiB from 1 to {most}, which is what this machine can hold")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_available_is_found() {
        let text = "MemTotal:       16384000 kB\nMemFree:  12 kB\nMemAvailable:    8192000 kB\n";
        assert_eq!(mib_in(text), Some(8000));
        assert_eq!(mib_in("MemAvailable: lots"), None);
        assert!(table_mib("0").is_err() && table_mib("99999999999999999999").is_err());
        assert_eq!(table_mib("16"), Ok(16));
    }
}
