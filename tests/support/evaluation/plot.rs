//! A chart of completion rates by number of steps, with confidence intervals.

use std::fmt::Write as _;

use super::print::{LENGTHS, NOTE};
use super::statistics::as_f64;
use super::sweep::{Part, Table, of_length};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 70.0;
const COLOURS: [&str; 8] = [
    "#9aa0a6", "#c58f5c", "#b3544d", "#7a5c99", "#2b8a3e", "#1c7ed6", "#0b7285", "#5f3dc4",
];

fn across(at: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * (as_f64(at) + 0.5) / as_f64(LENGTHS.len())
}

fn up(share: f64) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)
}

/// The chart as SVG.
#[must_use]
pub fn svg(table: &Table) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"28\" font-size=\"15\">Plans carried out to the end, by their number of steps</text>"
    );
    for tenth in [0_usize, 2, 4, 6, 8, 10] {
        let y = up(as_f64(tenth) / 10.0);
        let end = WIDTH - RIGHT;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} %</text>",
            LEFT - 8.0,
            y + 4.0,
            tenth * 10
        );
    }
    for (at, steps) in LENGTHS.into_iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{steps}</text>",
            across(at),
            HEIGHT - BOTTOM + 18.0
        );
    }
    for (at, (group, trials)) in table.of(Part::Main).enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        // Offsets the series so that their intervals don't overlap.
        let aside = (as_f64(at) - 3.5) * 4.0;
        let mut points = String::new();
        for (place, steps) in LENGTHS.into_iter().enumerate() {
            let rate = of_length(trials, steps).completion;
            let Some(share) = rate.share() else {
                continue;
            };
            let (x, y, around) = (across(place) + aside, up(share), rate.wilson());
            let _ = write!(points, "{x:.1},{y:.1} ");
            let _ = writeln!(
                out,
                "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
                 <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>",
                up(around.low),
                up(around.high)
            );
        }
        let is_ours = group.client == "planwright";
        let dash = if is_ours { "none" } else { "5 4" };
        let y = TOP + 14.0 + as_f64(at) * 18.0;
        let x = WIDTH - RIGHT + 16.0;
        let _ = writeln!(
            out,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
             <line x1=\"{x}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{}\" y=\"{y}\">{}, {}</text>",
            y - 4.0,
            x + 26.0,
            y - 4.0,
            x + 32.0,
            group.client,
            group.profile
        );
    }
    let (first, second) = NOTE.split_once(": ").unwrap_or((NOTE, ""));
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{}\" fill=\"#555\" font-size=\"11\">{first}:</text>\
         <text x=\"{LEFT}\" y=\"{}\" fill=\"#555\" font-size=\"11\">{second} Bars: 95 % intervals (Wilson).</text>\n</svg>",
        HEIGHT - 28.0,
        HEIGHT - 12.0
    );
    out
}
