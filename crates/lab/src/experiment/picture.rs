//! The figures of an experiment as one picture: a panel for each game and machine, with curves over processors, or with bars
//! where there is one number of processors only.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::report::{counts, names, panels};
use super::summary::SummaryRow;

const PANEL: (u32, u32) = (720, 460);
/// Height of a bar with its gap.
const BAR: u32 = 26;
/// Colours before they repeat.
const COLOURS: usize = 12;

type Panel<'out> = DrawingArea<SVGBackend<'out>, Shift>;
type Drawn<'out> = Result<(), DrawingAreaErrorKind<<SVGBackend<'out> as DrawingBackend>::ErrorType>>;

/// The picture as SVG text.
///
/// # Errors
/// When there is nothing to draw.
pub fn svg(lines: &[SummaryRow]) -> Result<String, String> {
    let panels: Vec<_> = panels(lines).collect();
    if panels.is_empty() {
        return Err("there are no figures to draw".to_owned());
    }
    let columns = if panels.len() > 1 { 2 } else { 1 };
    let rows = panels.len().div_ceil(columns);
    let tallest = panels.iter().map(|(_, lines)| height(lines)).max().unwrap_or(PANEL.1);
    let size = (PANEL.0 * columns as u32, tallest * rows as u32);
    let mut picture = String::new();
    {
        let drawing = SVGBackend::with_string(&mut picture, size).into_drawing_area();
        let draw = || {
            drawing.fill(&WHITE)?;
            for ((title, lines), panel) in panels.iter().zip(drawing.split_evenly((rows, columns))) {
                if has_curves(lines) { curves(&panel, title, lines)? } else { bars(&panel, title, lines)? }
            }
            drawing.present()
        };
        draw().map_err(|error: DrawingAreaErrorKind<_>| error.to_string())?;
    }
    Ok(picture)
}

fn has_curves(lines: &[SummaryRow]) -> bool {
    counts(lines).iter().filter(|count| **count > 1).count() > 1
}

fn height(lines: &[SummaryRow]) -> u32 {
    if has_curves(lines) { PANEL.1 } else { 110 + BAR * lines.len() as u32 }
}

/// A colour for each engine, far from that of the next.
fn colour(index: usize) -> HSLColor {
    let turn = (index % COLOURS) as f64 * 5.0 / COLOURS as f64;
    HSLColor(turn.fract(), 0.75, if index.is_multiple_of(2) { 0.40 } else { 0.55 })
}

fn curves<'out>(panel: &Panel<'out>, title: &str, lines: &[SummaryRow]) -> Drawn<'out> {
    let most = counts(lines).last().copied().unwrap_or(2) as f64;
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 17))
        .margin(12)
        .margin_right(20)
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d((1.0..most).log_scale(), (0.5..most).log_scale())?;
    chart.configure_mesh().x_desc("processors").y_desc("speedup").light_line_style(WHITE).draw()?;
    chart.draw_series(LineSeries::new([(1.0, 1.0), (most, most)], BLACK.mix(0.3)))?;
    for (index, name) in names(lines).into_iter().enumerate() {
        let colour = colour(index);
        let own: Vec<&SummaryRow> = lines.iter().filter(|line| line.name == name).collect();
        let points: Vec<(f64, f64)> =
            own.iter().map(|line| (line.processors as f64, line.speedup().mean.max(0.5))).collect();
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
        for line in own {
            let speedup = line.speedup();
            let Some(error) = speedup.error else { continue };
            let x = line.processors as f64;
            let ends = [(x, (speedup.mean - error).max(0.5)), (x, speedup.mean + error)];
            chart.draw_series([PathElement::new(ends, colour.stroke_width(1))])?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .label_font(("sans-serif", 12))
        .draw()
}

fn bars<'out>(panel: &Panel<'out>, title: &str, lines: &[SummaryRow]) -> Drawn<'out> {
    let reach = |line: &SummaryRow| line.speedup().mean + line.speedup().error.unwrap_or(0.0);
    let most = lines.iter().map(reach).fold(1.0, f64::max) * 1.15;
    let count = lines.len() as i32;
    let mut chart = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(8)
        .build_cartesian_2d(0.0..most, 0..count * 10)?;
    chart.configure_mesh().disable_y_mesh().disable_y_axis().x_desc("speedup").draw()?;
    for (index, line) in lines.iter().enumerate() {
        let bottom = (count - 1 - index as i32) * 10;
        let (colour, speedup) = (colour(index), line.speedup());
        let bar = Rectangle::new([(0.0, bottom + 1), (speedup.mean, bottom + 9)], colour.mix(0.6).filled());
        chart.draw_series([bar])?;
        if let Some(error) = speedup.error {
            let ends = [(speedup.mean - error, bottom + 5), (speedup.mean + error, bottom + 5)];
            chart.draw_series([PathElement::new(ends, BLACK.stroke_width(1))])?;
        }
        let text = format!("{}, {} processors: {:.1}", line.name, line.processors, speedup.mean);
        chart.draw_series([Text::new(text, (most * 0.01, bottom + 7), ("sans-serif", 13))])?;
    }
    Ok(())
}
