//! Values of options that are more than a name: who is asked for work, and what goes wrong. What is written in one
//! way is read in the same.

use std::fmt;
use std::str::FromStr;

use fabric::simulation::{Disturbances, PROCESSORS_MAX};
use parallel::stealing::Victims;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Hops of a request that is passed on, and sons in a fixed tree, where nothing else is said: those of Zugzwang.
const HOPS: u8 = 8;
const SONS: u32 = 16;

/// Who is asked for work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask(pub Victims);

impl Ask {
    /// One of each kind.
    pub const ALL: [Ask; 4] = [
        Ask(Victims::Anybody),
        Ask(Victims::Passed { hops: HOPS }),
        Ask(Victims::Neighbours { hops: HOPS }),
        Ask(Victims::Father { sons: SONS }),
    ];
}

impl fmt::Display for Ask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, number, usual) = match self.0 {
            Victims::Anybody => return formatter.write_str("anybody"),
            Victims::Passed { hops } => ("passed", u32::from(hops), u32::from(HOPS)),
            Victims::Neighbours { hops } => ("neighbours", u32::from(hops), u32::from(HOPS)),
            Victims::Father { sons } => ("father", sons, SONS),
        };
        if number == usual { formatter.write_str(name) } else { write!(formatter, "{name}={number}") }
    }
}

impl FromStr for Ask {
    type Err = String;

    fn from_str(text: &str) -> Result<Ask, String> {
        let (name, number) = text.split_once('=').map_or((text, None), |(name, number)| (name, Some(number)));
        let read = |usual: u32, least: u32, most: u32| match number {
            None => Ok(usual),
            Some(number) => {
                number.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                    format!(
                        "`{text}` wants a number from {least} to {most} behind the `=`, as in {name}={usual}"
                    )
                })
            }
        };
        let hops = || read(u32::from(HOPS), 0, u32::from(u8::MAX)).map(|hops| hops as u8);
        match name {
            "anybody" if number.is_none() => Ok(Ask(Victims::Anybody)),
            "anybody" => Err("`anybody` takes no number: with `passed` requests are passed on".to_owned()),
            "passed" => Ok(Ask(Victims::Passed { hops: hops()? })),
            "neighbours" => Ok(Ask(Victims::Neighbours { hops: hops()? })),
            "father" => Ok(Ask(Victims::Father { sons: read(SONS, 1, PROCESSORS_MAX as u32)? })),
            _ => {
                let name: String = name.chars().take(60).collect();
                Err(format!(
                    "there is no way to ask `{name}`: there are anybody, passed, neighbours (both with =HOPS if you like) \
                     and father (=SONS)"
                ))
            }
        }
    }
}

/// So many times as slow slow processors may be.
const SLOWNESS_MAX: u32 = 1000;
/// Latencies by which messages are late at most, and how many times as slow slow processors are, where nothing else
/// is said.
const LATE: u32 = 20;
const SLOWNESS: u32 = 3;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trouble(pub Disturbances);

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disturbances { delay, slow, slowness, deaths } = self.0;
        let delays =
            (delay > 0).then(|| if delay == LATE { "delays".to_owned() } else { format!("delays={delay}") });
        let times = if slowness == SLOWNESS { String::new() } else { format!("x{slowness}") };
        let slow = (slow > 0).then(|| format!("slow={slow}{times}"));
        let dies = (deaths > 0).then(|| format!("dies={deaths}"));
        let all: Vec<String> = [delays, slow, dies].into_iter().flatten().collect();
        formatter.write_str(if all.is_empty() { "none" } else { "" })?;
        formatter.write_str(&all.join(","))
    }
}

impl FromStr for Trouble {
    type Err = String;

    fn from_str(text: &str) -> Result<Trouble, String> {
        let wrong = || {
            format!(
                "`{text}` should be none, or some of delays (or delays=TIMES), slow=COUNT (or slow=COUNTxTIMES) and \
                 dies=COUNT, separated by commas, as in delays,slow=2,dies=1; TIMES of slow is {SLOWNESS_MAX} at most"
            )
        };
        let number = |text: &str, most: u32| {
            text.parse().ok().filter(|number| (1..=most).contains(number)).ok_or_else(wrong)
        };
        let most = PROCESSORS_MAX as u32;
        let mut found = Disturbances::default();
        if text == "none" {
            return Ok(Trouble(found));
        }
        for part in text.split(',') {
            match part.split_once('=') {
                None if part == "delays" => found.delay = LATE,
                Some(("delays", times)) => found.delay = number(times, 1_000_000)?,
                Some(("slow", slow)) => {
                    let (count, times) =
                        slow.split_once('x').map_or((slow, None), |(count, times)| (count, Some(times)));
                    found.slow = number(count, most)?;
                    found.slowness = times.map_or(Ok(SLOWNESS), |times| number(times, SLOWNESS_MAX))?;
                }
                Some(("dies", count)) => found.deaths = number(count, most)?,
                _ => return Err(wrong()),
            }
        }
        Ok(Trouble(found))
    }
}

impl<'de> Deserialize<'de> for Ask {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ask, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Trouble {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Trouble, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for ask in Ask::ALL
            .into_iter()
            .chain([Ask(Victims::Neighbours { hops: 0 }), Ask(Victims::Father { sons: 3 })])
        {
            assert_eq!(ask.to_string().parse(), Ok(ask));
        }
        assert_eq!("passed=8".parse::<Ask>().unwrap().to_string(), "passed");
        for text in ["none", "delays", "delays=3,slow=2", "slow=2x5,dies=1", "delays,slow=2,dies=1"] {
            assert_eq!(text.parse::<Trouble>().unwrap().to_string(), text);
        }
        for wrong in ["", "neighbors", "neighbours=", "neighbours=256", "anybody=3", "father=0"] {
            assert!(wrong.parse::<Ask>().is_err(), "{wrong}");
        }
        for wrong in ["", "delay", "delays=0", "slow", "slow=2x", "dies", "dies=1,", "dies=-1"] {
            assert!(wrong.parse::<Trouble>().unwrap_err().contains("delays,slow=2,dies=1"), "{wrong}");
        }
    }
}
