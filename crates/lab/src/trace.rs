//! What all processors did over time: as a picture, and as trace events, which Perfetto and Chrome open.

use std::fmt::Write as _;
use std::time::Duration;

use parallel::Interval;
use parallel::measures::Activity;

/// The picture's columns of time and its most lanes; beyond that a lane stands for several processors.
const COLUMNS: usize = 1100;
const LANES_MAX: usize = 256;
const LEFT: usize = 60;
const TOP: usize = 60;

fn colour(activity: Activity) -> &'static str {
    match activity {
        Activity::Searching => "#3b7dd8",
        Activity::WaitingForSlaves => "#f0a030",
        Activity::Synchronising => "#c0392b",
        Activity::NoWork => "#dddddd",
    }
}

/// The picture as SVG text: a lane for each processor, coloured by what it did most of the time.
#[must_use]
pub fn svg(title: &str, intervals: &[Interval], processors: usize, end: Duration) -> String {
    let lanes = processors.clamp(1, LANES_MAX);
    let height = (600 / lanes).clamp(2, 14);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"20\" font-size=\"15\">{}</text>\n",
        LEFT + COLUMNS + 20,
        TOP + lanes * height + 30,
        escaped(title)
    );
    legend(&mut text, intervals, processors, end);
    for (lane, columns) in raster(intervals, processors, lanes, end).iter().enumerate() {
        let y = TOP + lane * height;
        if lane % lanes.div_ceil(16) == 0 {
            let _ = writeln!(
                text,
                "<text x=\"8\" y=\"{}\">{}</text>",
                y + height.max(9),
                lane * processors / lanes
            );
        }
        for (from, to, activity) in runs(columns) {
            let (x, width, fill) = (LEFT + from, to - from, colour(activity));
            let drawn = height - usize::from(height > 3);
            let _ = writeln!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{drawn}\" fill=\"{fill}\"/>"
            );
        }
    }
    let bottom = TOP + lanes * height + 18;
    let _ = writeln!(text, "<text x=\"{LEFT}\" y=\"{bottom}\">0</text>");
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">{:.6} s</text>",
        LEFT + COLUMNS,
        end.as_secs_f64()
    );
    text + "</svg>\n"
}

fn legend(text: &mut String, intervals: &[Interval], processors: usize, end: Duration) {
    for (index, (part, activity)) in parts(intervals, processors, end).into_iter().enumerate() {
        let x = LEFT + index * 220;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"32\" width=\"14\" height=\"14\" fill=\"{}\"/>",
            colour(activity)
        );
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"44\">{} {:.1} %</text>",
            x + 20,
            activity.name(),
            100.0 * part
        );
    }
}

/// Which part of the time of all processors each activity took.
#[must_use]
pub fn parts(intervals: &[Interval], processors: usize, end: Duration) -> Vec<(f64, Activity)> {
    let all = processors as f64 * end.as_secs_f64().max(f64::MIN_POSITIVE);
    let spent = |wanted| -> f64 {
        let own = intervals.iter().filter(|interval| interval.what == wanted);
        // The sum of nothing is -0.
        own.map(|interval| (interval.to - interval.from).as_secs_f64()).fold(0.0, |sum, time| sum + time)
    };
    Activity::NAMED.iter().map(|&(_, activity)| (spent(activity) / all, activity)).collect()
}

/// For each lane and column the activity that took most of its time.
fn raster(
    intervals: &[Interval],
    processors: usize,
    lanes: usize,
    end: Duration,
) -> Vec<Vec<Option<Activity>>> {
    let mut spent = vec![[0.0_f64; Activity::NAMED.len()]; lanes * COLUMNS];
    let scale = COLUMNS as f64 / end.as_secs_f64().max(f64::MIN_POSITIVE);
    for interval in intervals {
        let lane = interval.processor.index() * lanes / processors.max(1);
        let (from, to) = (interval.from.as_secs_f64() * scale, interval.to.as_secs_f64() * scale);
        let last = (to.ceil() as usize).min(COLUMNS);
        for column in (from as usize)..last {
            let inside = to.min(column as f64 + 1.0) - from.max(column as f64);
            spent[lane * COLUMNS + column][interval.what as usize] += inside.max(0.0);
        }
    }
    let most = |spent: &[f64; 4]| {
        let best = (0..spent.len()).max_by(|one, other| spent[*one].total_cmp(&spent[*other]))?;
        (spent[best] > 0.0).then(|| Activity::NAMED[best].1)
    };
    spent.chunks(COLUMNS).map(|lane| lane.iter().map(most).collect()).collect()
}

/// Columns with the same activity, together.
fn runs(columns: &[Option<Activity>]) -> Vec<(usize, usize, Activity)> {
    let mut runs: Vec<(usize, usize, Activity)> = Vec::new();
    for (column, activity) in columns.iter().enumerate() {
        let Some(activity) = *activity else { continue };
        match runs.last_mut() {
            Some((_, to, last)) if *last == activity && *to == column => *to += 1,
            _ => runs.push((column, column + 1, activity)),
        }
    }
    runs
}

/// The trace as JSON: one complete event for each interval, one thread for each processor.
#[must_use]
pub fn events(title: &str, intervals: &[Interval], processors: usize) -> String {
    let mut text = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    let title = serde_json::Value::from(title);
    let _ =
        write!(text, "{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":{title}}}}}");
    for processor in 0..processors {
        let _ = write!(
            text,
            ",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{processor},\"name\":\"thread_name\",\"args\":{{\"name\":\"processor {processor}\"}}}}"
        );
    }
    for Interval { processor, from, to, what } in intervals {
        let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
        let _ = write!(
            text,
            ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{processor},\"name\":\"{}\",\"ts\":{:.3},\"dur\":{:.3}}}",
            what.name(),
            micros(*from),
            micros(*to - *from)
        );
    }
    text + "\n]}\n"
}

/// Text inside a picture.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use fabric::ProcessorId;

    use super::*;

    fn intervals() -> Vec<Interval> {
        let interval = |processor, from, to, what| Interval {
            processor: ProcessorId(processor),
            from: Duration::from_secs(from),
            to: Duration::from_secs(to),
            what,
        };
        vec![
            interval(0, 0, 10, Activity::Searching),
            interval(1, 0, 4, Activity::Synchronising),
            interval(1, 4, 10, Activity::Searching),
        ]
    }

    #[test]
    fn a_picture_has_a_lane_for_each_processor() {
        let end = Duration::from_secs(10);
        let picture = svg("a < b", &intervals(), 2, end);
        assert!(picture.contains("a &lt; b") && picture.contains("searching 80.0 %"), "{picture}");
        assert!(
            picture.contains(&format!("width=\"{}\" height=\"13\" fill=\"#c0392b\"", COLUMNS * 4 / 10)),
            "{picture}"
        );
        assert!(picture.contains("no work 0.0 %") && !picture.contains("-0.0"), "{picture}");
        assert!(svg("many", &intervals(), 1024, end).matches("<rect").count() < 20);
    }

    #[test]
    fn traces_are_json_with_all_intervals() {
        let trace: serde_json::Value = serde_json::from_str(&events("a \"b\"", &intervals(), 2)).unwrap();
        let events = trace["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), 1 + 2 + 3);
        assert_eq!((events[5]["ts"].as_f64(), events[5]["dur"].as_f64()), (Some(4e6), Some(6e6)));
    }
}
