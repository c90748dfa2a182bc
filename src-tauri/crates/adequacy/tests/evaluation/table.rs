//! Result tables: for each code, how many defects were added and how many were found, and how often
//! the code was a false alarm.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use adequacy::{Code, Report};

use crate::bases::{Base, bases, report};
use crate::defects::SEEDS;
use crate::goals;

/// Counts for a code: defects added, defects found, and false alarms.
#[derive(Debug, Default, Clone, Copy)]
struct Row {
    put: u32,
    found: u32,
    alarms: u32,
}

/// The codes that were raised, except `partly_covered`, which only reports different wording and is
/// not an alarm.
fn codes(report: &Report) -> BTreeSet<&'static str> {
    let raised = report.findings.iter();
    raised
        .filter(|finding| finding.code != Code::PartlyCovered)
        .map(|finding| finding.code.as_str())
        .collect()
}

struct Evaluation {
    rows: BTreeMap<&'static str, Row>,
    /// Missed defects and false alarms.
    notes: Vec<String>,
}

fn evaluate() -> Evaluation {
    let mut rows: BTreeMap<&'static str, Row> = BTreeMap::new();
    let mut notes = Vec::new();
    for base in bases() {
        let Base { name, text, facts } = &base;
        let clean = codes(&report(text, facts, None));
        for code in &clean {
            rows.entry(code).or_default().alarms += 1;
            notes.push(format!("{name}: {code} without a defect"));
        }
        for seed in SEEDS {
            let wanted = seed.code.as_str();
            let row = rows.entry(wanted).or_default();
            let Some(made) = (seed.put)(&base) else {
                continue;
            };
            row.put += 1;
            let found = codes(&report(&made.text, &made.facts, made.before.as_deref()));
            if found.contains(wanted) {
                row.found += 1;
            } else {
                notes.push(format!("{name}: {wanted} not found"));
            }
            let may_be = |code: &&&str| {
                **code == wanted
                    || clean.contains(**code)
                    || seed.also.iter().any(|also| also.as_str() == **code)
            };
            for code in found.iter().filter(|code| !may_be(code)) {
                rows.entry(code).or_default().alarms += 1;
                notes.push(format!("{name}: {code} beside {wanted}"));
            }
        }
    }
    Evaluation { rows, notes }
}

fn percent(part: u32, whole: u32) -> String {
    match whole {
        0 => "-".to_owned(),
        whole => format!("{} %", (100 * part + whole / 2) / whole),
    }
}

impl Evaluation {
    fn shown(&self) -> String {
        let mut out = format!(
            "{:32}{:>6}{:>7}{:>8}{:>8}{:>11}\n",
            "code", "put", "found", "recall", "alarms", "precision"
        );
        for (code, row) in &self.rows {
            let recall = percent(row.found, row.put);
            let precision = percent(row.found, row.found + row.alarms);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{code:32}{:>6}{:>7}{recall:>8}{:>8}{precision:>11}",
                row.put, row.found, row.alarms
            );
        }
        out
    }
}

#[test]
fn defects_are_found_with_few_false_alarms() {
    let evaluation = evaluate();
    println!("Seeded defects\n\n{}", evaluation.shown());
    for note in &evaluation.notes {
        println!("{note}");
    }
    for (listed, what) in [
        (true, "a list of requirements"),
        (false, "the goal's words alone"),
    ] {
        let counts = goals::measure(listed);
        println!(
            "\nGoals with {what}: {} of {} forgotten requirements named, {} false alarms on {} that were kept",
            counts.named, counts.taken, counts.alarms, counts.kept
        );
        for miss in &counts.misses {
            println!("{miss}");
        }
    }
    for (code, row) in &evaluation.rows {
        assert!(row.found * 10 >= row.put * 9, "{code}: {row:?}");
        assert!(
            row.found * 10 >= (row.found + row.alarms) * 9,
            "{code}: {row:?}"
        );
    }
}
