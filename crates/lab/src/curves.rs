//! Curves as SVG.

use plotters::prelude::*;

/// Speedup over processors, both on logarithmic scales, with the line of perfect speedup; the picture as SVG text.
///
/// # Errors
/// When there is nothing to draw.
pub fn speedup_svg(title: &str, points: &[(usize, f64)]) -> Result<String, String> {
    let most = points.iter().map(|(processors, _)| *processors).max().filter(|most| *most > 1);
    let most = most.ok_or("a curve needs at least two numbers of processors")? as f64;
    let mut picture = String::new();
    {
        let drawing = SVGBackend::with_string(&mut picture, (720, 480)).into_drawing_area();
        draw(&drawing, title, points, most).map_err(|error| error.to_string())?;
    }
    Ok(picture)
}

fn draw<'out>(
    drawing: &DrawingArea<SVGBackend<'out>, plotters::coord::Shift>,
    title: &str,
    points: &[(usize, f64)],
    most: f64,
) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'out> as DrawingBackend>::ErrorType>> {
    drawing.fill(&WHITE)?;
    let scale = || (1.0..most).log_scale();
    let mut chart = ChartBuilder::on(drawing)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(scale(), scale())?;
    chart.configure_mesh().x_desc("processors").y_desc("speedup").draw()?;
    chart.draw_series(LineSeries::new([(1.0, 1.0), (most, most)], BLACK.mix(0.3)))?;
    let points: Vec<(f64, f64)> =
        points.iter().map(|(processors, speedup)| (*processors as f64, speedup.max(1.0))).collect();
    chart.draw_series(LineSeries::new(points.iter().copied(), BLUE.stroke_width(2)))?;
    chart.draw_series(points.iter().map(|point| Circle::new(*point, 4, BLUE.filled())))?;
    drawing.present()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_a_picture() {
        let picture = speedup_svg("chess", &[(1, 1.0), (16, 11.0), (256, 142.0)]).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("chess") && picture.contains("polyline"));
        assert!(speedup_svg("chess", &[(1, 1.0)]).is_err());
    }
}
