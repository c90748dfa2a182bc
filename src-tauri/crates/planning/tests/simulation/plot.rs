//! Draws a chart of each policy's extra cost compared with the oracle, request by request, with
//! shaded outages. Colors follow the reader's light or dark scheme.

use std::fmt::Write as _;

use crate::table::{Mean, NOTE, Row, Table};
use crate::world::{OUTAGES, REQUESTS};

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 74.0;
/// The number of requests between two points of a line.
const STEP: usize = 10;

const STYLE: &str = "\
text{fill:#222}.quiet{fill:#555}.ground{fill:#fff}.grid{stroke:#ddd}.zero{stroke:#555}.out{fill:#000;fill-opacity:.07}\
.line{fill:none;stroke-width:2}.band{stroke:none;fill-opacity:.15}\
.line.a{stroke:#1864ab}.line.b{stroke:#b3544d;stroke-dasharray:6 4}.line.c{stroke:#2b7a3b;stroke-dasharray:2 3}\
.band.a{fill:#1864ab}.band.b{fill:#b3544d}.band.c{fill:#2b7a3b}\
@media (prefers-color-scheme:dark){text{fill:#e6e6e6}.quiet{fill:#b0b0b0}.ground{fill:#1b1d21}.grid{stroke:#3a3d44}\
.zero{stroke:#b0b0b0}.out{fill:#fff;fill-opacity:.09}.line.a{stroke:#74b9ff}.line.b{stroke:#ff9d94}.line.c{stroke:#7ddb8f}\
.band.a{fill:#74b9ff}.band.b{fill:#ff9d94}.band.c{fill:#7ddb8f}}";

/// A policy's extra cost compared with the oracle, up to each point: the mean and interval over the
/// seeds.
fn line(row: &Row, oracle: &Row) -> Vec<Mean> {
    let upto: Vec<Vec<f64>> = row
        .runs
        .iter()
        .zip(&oracle.runs)
        .map(|(run, best)| {
            let mut sum = 0.0;
            let each = run.iter().zip(best).map(|(one, other)| {
                sum += one.cost() - other.cost();
                sum
            });
            each.collect()
        })
        .collect();
    (STEP - 1..REQUESTS as usize)
        .step_by(STEP)
        .map(|at| Mean::of(&upto.iter().map(|seed| seed[at]).collect::<Vec<_>>()))
        .collect()
}

fn across(request: f64) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * request / f64::from(REQUESTS)
}

/// The chart as SVG.
pub(crate) fn svg(table: &Table, oracle: &Row) -> String {
    let rows = [
        ("a", &table.learned),
        ("b", &table.cheap),
        ("c", &table.fixed),
    ];
    let lines = rows.map(|(class, row)| (class, row.name, line(row, oracle)));
    let ends = |line: &[Mean], sign: f64| -> Vec<f64> {
        let end = |one: &Mean| one.mean + sign * one.half.unwrap_or(0.0);
        line.iter().map(end).collect()
    };
    let all = || lines.iter().flat_map(|(.., line)| line);
    let highest = all().fold(1.0_f64, |most, one| {
        most.max(one.mean + one.half.unwrap_or(0.0))
    });
    let lowest = all().fold(0.0_f64, |least, one| {
        least.min(one.mean - one.half.unwrap_or(0.0))
    });
    let up = |cost: f64| {
        let share = (cost - lowest) / (highest - lowest);
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)
    };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">Regret of routes: thousand seconds of a person beyond the oracle's, summed</text>"
    );
    for outage in &OUTAGES {
        let (from, to) = (
            across(f64::from(outage.when.start)),
            across(f64::from(outage.when.end)),
        );
        let _ = writeln!(
            out,
            "<rect class=\"out\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>\
             <text class=\"quiet\" x=\"{:.1}\" y=\"{}\" font-size=\"10\" text-anchor=\"middle\">{}</text>",
            to - from,
            HEIGHT - TOP - BOTTOM,
            outage.name,
            f64::midpoint(from, to),
            TOP - 6.0,
            outage.name
        );
    }
    let tick = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
        .into_iter()
        .map(|thousand| thousand * 1_000.0)
        .find(|tick| highest / tick <= 7.0)
        .unwrap_or(100_000.0);
    let mut at = 0.0;
    while at <= highest {
        let (y, class) = (up(at), if at == 0.0 { "zero" } else { "grid" });
        let _ = writeln!(
            out,
            "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            at / 1_000.0
        );
        at += tick;
    }
    for request in (0..=REQUESTS).step_by(200) {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{request}</text>",
            across(f64::from(request)),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{:.1}\">oracle</text>",
        WIDTH - RIGHT + 6.0,
        up(0.0) + 4.0
    );
    for (class, name, line) in &lines {
        let point = |(at, cost): (usize, f64)| {
            format!("{:.1},{:.1}", across(((at + 1) * STEP) as f64), up(cost))
        };
        let points =
            |costs: Vec<f64>| -> Vec<String> { costs.into_iter().enumerate().map(point).collect() };
        let (high, mut low) = (points(ends(line, 1.0)), points(ends(line, -1.0)));
        low.reverse();
        let _ = writeln!(
            out,
            "<polygon class=\"band {class}\" points=\"{} {}\"/>\n\
             <polyline class=\"line {class}\" points=\"{:.1},{:.1} {}\"/>\n\
             <text x=\"{}\" y=\"{:.1}\">{name}</text>",
            high.join(" "),
            low.join(" "),
            across(0.0),
            up(0.0),
            points(ends(line, 0.0)).join(" "),
            WIDTH - RIGHT + 6.0,
            up(line.last().map_or(0.0, |last| last.mean)) + 4.0
        );
    }
    let (first, second) = NOTE.split_once(": ").unwrap_or((NOTE, ""));
    let _ = writeln!(
        out,
        "<text class=\"quiet\" x=\"{LEFT}\" y=\"{}\" font-size=\"11\">Requests. Bands: 95 % intervals over {} seeds. {first}:</text>\
         <text class=\"quiet\" x=\"{LEFT}\" y=\"{}\" font-size=\"11\">{second}</text>\n</svg>",
        HEIGHT - 30.0,
        oracle.runs.len(),
        HEIGHT - 13.0
    );
    out
}
