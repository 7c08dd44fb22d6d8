//! The figures of an experiment as one picture: a panel for each game and machine, with curves over processors, or
//! with bars where there is one number of processors only. Thin lines are errors: of the mean over seeds, or over
//! positions where there is one seed.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::report::{counts, names, panels};
use super::summary::SummaryRow;

const PANEL: (u32, u32) = (720, 480);
/// Width of the column beside a panel that says which curve is which, and height of a line in it.
const LEGEND: u32 = 230;
const LEGEND_LINE: u32 = 15;
/// Height of a bar with its gap.
const BAR: u32 = 26;
/// Colours that are told apart, those of neighbours most easily; then they repeat with other dashes and points.
const COLOURS: [RGBColor; 10] = [
    RGBColor(31, 119, 180),
    RGBColor(255, 127, 14),
    RGBColor(44, 160, 44),
    RGBColor(214, 39, 40),
    RGBColor(148, 103, 189),
    RGBColor(140, 86, 75),
    RGBColor(227, 119, 194),
    RGBColor(110, 110, 110),
    RGBColor(188, 189, 34),
    RGBColor(23, 190, 207),
];
/// Lengths of dashes and of the gaps between them.
const DASHES: [(u32, u32); 3] = [(1, 0), (7, 4), (2, 3)];

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
    let size = ((PANEL.0 + LEGEND) * columns as u32, tallest * rows as u32);
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
    if has_curves(lines) {
        PANEL.1.max(50 + LEGEND_LINE * names(lines).len() as u32)
    } else {
        110 + BAR * lines.len() as u32
    }
}

fn colour(index: usize) -> RGBColor {
    COLOURS[index % COLOURS.len()]
}

fn dashes(index: usize) -> (u32, u32) {
    DASHES[index / COLOURS.len() % DASHES.len()]
}

/// The error of a speedup: that of the mean over seeds, or over positions where there is one seed.
fn error(line: &SummaryRow) -> Option<f64> {
    line.speedup().error.or_else(|| line.single().error)
}

fn curves<'out>(panel: &Panel<'out>, title: &str, lines: &[SummaryRow]) -> Drawn<'out> {
    let most = counts(lines).last().copied().unwrap_or(2) as f64;
    let (plot, beside) = panel.split_horizontally(PANEL.0);
    let mut chart = ChartBuilder::on(&plot)
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
        let style = colour.stroke_width(2);
        match dashes(index) {
            (_, 0) => chart.draw_series(LineSeries::new(points.iter().copied(), style))?,
            (dash, gap) => {
                chart.draw_series(DashedLineSeries::new(points.iter().copied(), dash, gap, style))?
            }
        };
        chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
        for line in own {
            let Some(error) = error(line) else { continue };
            let (x, mean) = (line.processors as f64, line.speedup().mean);
            let ends = [(x, (mean - error).max(0.5)), (x, mean + error)];
            chart.draw_series([PathElement::new(ends, colour.stroke_width(1))])?;
        }
    }
    legend(&beside, &names(lines))
}

/// Says which curve is which, in the order in which they were measured.
fn legend<'out>(beside: &Panel<'out>, names: &[&str]) -> Drawn<'out> {
    for (index, name) in names.iter().enumerate() {
        let (y, colour) = (30 + (index as u32 * LEGEND_LINE) as i32, colour(index));
        let (dash, gap) = dashes(index);
        let (mut x, end) = (4, 34);
        while x < end {
            let to = if gap == 0 { end } else { (x + dash as i32).min(end) };
            beside.draw(&PathElement::new([(x, y), (to, y)], colour.stroke_width(2)))?;
            x = to + gap as i32;
        }
        beside.draw(&Circle::new((19, y), 3, colour.filled()))?;
        beside.draw(&Text::new((*name).to_owned(), (42, y - 6), ("sans-serif", 12)))?;
    }
    Ok(())
}

fn bars<'out>(panel: &Panel<'out>, title: &str, lines: &[SummaryRow]) -> Drawn<'out> {
    let reach = |line: &SummaryRow| line.speedup().mean + error(line).unwrap_or(0.0);
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
        if let Some(error) = error(line) {
            let ends = [(speedup.mean - error, bottom + 5), (speedup.mean + error, bottom + 5)];
            chart.draw_series([PathElement::new(ends, BLACK.stroke_width(1))])?;
        }
        let text = format!("{}, {} processors: {:.1}", line.name, line.processors, speedup.mean);
        chart.draw_series([Text::new(text, (most * 0.01, bottom + 7), ("sans-serif", 13))])?;
    }
    Ok(())
}
