//! How long players may think.

use std::time::Duration;

use search::{Depth, Limits, TimeLimit};

/// No time is longer, in seconds.
const SECONDS_MAX: f64 = 86_400.0;
/// Lost between a search and the clock.
const OVERHEAD: Duration = Duration::from_millis(20);

/// When a move must be made; all that is given counts.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct Pace {
    pub(crate) depth: Option<i32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) move_time: Option<Duration>,
    pub(crate) clock: Option<Clock>,
}

/// Time for the game, and what every move adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    pub(crate) total: Duration,
    pub(crate) increment: Duration,
}

impl Clock {
    /// `10+0.1`, or `10` alone.
    pub(crate) fn read(text: &str) -> Result<Clock, String> {
        let (total, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(total), seconds(increment)) {
            (Ok(total), Ok(increment)) if total > Duration::ZERO => Ok(Clock { total, increment }),
            _ => Err("give seconds for the game and for every move, such as 10+0.1".to_owned()),
        }
    }
}

/// A number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.0..=SECONDS_MAX).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("give a number of seconds, such as 0.5, up to 86400".to_owned()),
    }
}

impl Pace {
    /// Whether a move must be made at some time.
    pub(crate) fn is_limited(self) -> bool {
        self != Pace::default()
    }

    /// Takes `depth`, `nodes`, `movetime` or `time`; false when it is none of them.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let wrong = |what: &str| format!("`{name}={value}`: {what}");
        match name {
            "depth" => match value.parse::<i32>() {
                Ok(depth) if (1..=200).contains(&depth) => self.depth = Some(depth),
                _ => return Err(wrong("give a depth from 1 to 200")),
            },
            "nodes" => match value.parse::<u64>() {
                Ok(nodes) if nodes > 0 => self.nodes = Some(nodes),
                _ => return Err(wrong("give a number of nodes")),
            },
            "movetime" => self.move_time = Some(seconds(value).map_err(|hint| wrong(&hint))?),
            "time" => self.clock = Some(Clock::read(value).map_err(|hint| wrong(&hint))?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// `depth=4,nodes=1000`
    pub(crate) fn read(text: &str) -> Result<Pace, String> {
        let mut pace = Pace::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').ok_or_else(|| format!("`{item}` is not NAME=VALUE"))?;
            if !pace.set(name.trim(), value.trim())? {
                return Err(format!("there is no limit `{name}`: there are depth, nodes, movetime, time"));
            }
        }
        Ok(pace)
    }

    /// What is given here, and otherwise what is usual.
    pub(crate) fn or(self, usual: Pace) -> Pace {
        if self.is_limited() { self } else { usual }
    }

    /// For our own engines, with so much time left.
    pub(crate) fn limits(self, left: Duration) -> Limits {
        let time = match (self.move_time, self.clock) {
            (Some(time), _) => TimeLimit::Fixed(time.saturating_sub(OVERHEAD).max(time / 2)),
            (None, Some(clock)) => TimeLimit::Clock {
                remaining: left.saturating_sub(OVERHEAD),
                increment: clock.increment.saturating_sub(OVERHEAD),
                moves_to_go: None,
            },
            (None, None) => TimeLimit::Infinite,
        };
        Limits { depth: self.depth.map(Depth), nodes: self.nodes, time, ..Limits::default() }
    }

    /// For UCI engines: `go …` with what is left for white and black.
    pub(crate) fn go(self, left: [Duration; 2]) -> String {
        let mut text = "go".to_owned();
        if let Some(clock) = self.clock {
            let [white, black] = left.map(|left| left.as_millis().max(1));
            let increment = clock.increment.as_millis();
            text.push_str(&format!(" wtime {white} btime {black} winc {increment} binc {increment}"));
        }
        if let Some(time) = self.move_time {
            text.push_str(&format!(" movetime {}", time.as_millis().max(1)));
        }
        if let Some(depth) = self.depth {
            text.push_str(&format!(" depth {depth}"));
        }
        if let Some(nodes) = self.nodes {
            text.push_str(&format!(" nodes {nodes}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let pace = Pace::read("depth=4, nodes=100,movetime=0.5,time=10+0.1").unwrap();
        assert_eq!(pace.clock.unwrap().increment, Duration::from_millis(100));
        let go = pace.go([Duration::from_secs(3), Duration::ZERO]);
        assert_eq!(go, "go wtime 3000 btime 1 winc 100 binc 100 movetime 500 depth 4 nodes 100");
        assert_eq!(Pace::default().or(pace), pace);
        for text in ["depth=0", "depth=x", "nodes=0", "movetime=-1", "time=0", "time=1+x", "speed=1", "depth"]
        {
            assert!(Pace::read(text).is_err(), "{text}");
        }
    }
}
