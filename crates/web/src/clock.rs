//! A chess clock.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::message::ClockSetting;

/// No person sits at a game for longer.
const BASE_MAX: u64 = 24 * 3_600_000;

/// Time that is left for both, and whose runs down.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    setting: ClockSetting,
    left: [Duration; 2],
    side: usize,
    since: Option<Instant>,
}

impl GameClock {
    pub(crate) fn new(setting: ClockSetting) -> GameClock {
        let setting = ClockSetting {
            base: setting.base.clamp(1_000, BASE_MAX),
            increment: setting.increment.min(600_000),
        };
        GameClock { setting, left: [Duration::from_millis(setting.base); 2], side: 0, since: None }
    }

    pub(crate) fn resumed(setting: ClockSetting, left: Option<[u64; 2]>) -> GameClock {
        let clock = GameClock::new(setting);
        let left = left.map_or(clock.left, |left| left.map(|left| Duration::from_millis(left.min(BASE_MAX))));
        GameClock { left, ..clock }
    }

    pub(crate) fn setting(&self) -> ClockSetting {
        self.setting
    }

    pub(crate) fn increment(&self) -> Duration {
        Duration::from_millis(self.setting.increment)
    }

    /// Whose clock runs.
    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// What is left for whose clock runs.
    pub(crate) fn left(&self) -> Duration {
        let spent = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.left[self.side].saturating_sub(spent)
    }

    pub(crate) fn remaining(&self) -> [u64; 2] {
        let mut left = self.left;
        left[self.side] = self.left();
        left.map(|left| left.as_millis() as u64)
    }

    /// Lets a player's time run down.
    pub(crate) fn run(&mut self, side: usize) {
        self.stop();
        (self.side, self.since) = (side, Some(Instant::now()));
    }

    /// The player has moved.
    pub(crate) fn press(&mut self) {
        if self.since.is_some() {
            self.stop();
            self.left[self.side] += self.increment();
        }
    }

    pub(crate) fn stop(&mut self) {
        self.left[self.side] = self.left();
        self.since = None;
    }

    /// As front ends get it.
    pub(crate) fn told(&self) -> Value {
        json!({
            "left": self.remaining(),
            "runs": self.since.map(|_| if self.side == 0 { "white" } else { "black" }),
            "base": self.setting.base,
            "increment": self.setting.increment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_down_for_the_one_who_thinks() {
        let mut clock = GameClock::new(ClockSetting { base: 60_000, increment: 2_000 });
        clock.run(1);
        std::thread::sleep(Duration::from_millis(30));
        clock.press();
        let [white, black] = clock.remaining();
        assert_eq!(white, 60_000);
        assert!((61_000..=61_975).contains(&black), "{black}");
        clock.stop();
        assert_eq!(clock.remaining(), [white, black]);
    }
}
