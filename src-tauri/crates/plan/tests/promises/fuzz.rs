//! Runs the bodies of the fuzz targets on reproducible mutations of their seeds, and on extreme
//! inputs. `cargo +nightly fuzz run parse` (or `splices`, `merge`) searches further, guided by
//! coverage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use super::drawn::{Drawn, cases};

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;

/// The seeds, sorted by name.
fn seeds() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 15, "the seeds are there");
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Fragments of plans, and strings that tend to break parsers.
const TOKENS: [&[u8]; 40] = [
    b"- [ ] ",
    b"- [x] ",
    b"  - ",
    b"    - ",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"> ",
    b"```\n",
    b"~~~",
    b"<!--",
    b"-->",
    b"---\n",
    b"# ",
    b"## Tasks\n",
    b"## Decisions\n",
    b"## Requirements\n",
    b"**T1** ",
    b"T2",
    b"**1.2**",
    b"depends: T1, T2\n",
    b"files: `a`\n",
    b"option: a -> T1\n",
    b"type: decision\n",
    b"verify: ",
    b"`",
    b"[",
    b"]",
    b"[x]: u\n",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\x00",
    b"\xe2\x9c\x93",
    b"1. [ ] ",
    b"[P] ",
    b"- D1: a \xe2\x80\x94 me\n",
    b"planwright: 1\n",
    b"#1",
];

fn mutated(drawn: &mut Drawn, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut data = seeds[drawn.below(seeds.len())].clone();
    for _ in 0..1 + drawn.below(5) {
        let at = drawn.below(data.len() + 1);
        let end = (at + drawn.below(40)).min(data.len());
        match drawn.below(8) {
            0 if at < data.len() => data[at] ^= 1 << drawn.below(8),
            1 => drop(data.drain(at..end)),
            2 => {
                let piece = data[at..end].to_vec();
                let to = drawn.below(data.len() + 1);
                data.splice(to..to, piece);
            }
            3 => {
                let other = &seeds[drawn.below(seeds.len())];
                let from = drawn.below(other.len() + 1);
                let piece = other[from..(from + drawn.below(120)).min(other.len())].to_vec();
                data.splice(at..at, piece);
            }
            4 => {
                let mut lines: Vec<&[u8]> = data.split_inclusive(|byte| *byte == b'\n').collect();
                if lines.len() > 1 {
                    let (a, b) = (drawn.below(lines.len()), drawn.below(lines.len()));
                    lines.swap(a, b);
                    data = lines.concat();
                }
            }
            5 => data.truncate(at.max(1)),
            _ => {
                let token = TOKENS[drawn.below(TOKENS.len())].to_vec();
                data.splice(at..at, token);
            }
        }
    }
    // Long inputs find no more bugs than short ones and take longer.
    data.truncate(1_500);
    data
}

fn run(name: &str, body: fn(&[u8]), usual: usize) {
    let seeds = seeds();
    let begin = Instant::now();
    let mut drawn = Drawn::new(41);
    let count = cases(usual);
    let mut bytes = 0;
    let mutations = (0..count).map(|_| mutated(&mut drawn, &seeds));
    for data in seeds.iter().cloned().chain(mutations) {
        bytes += data.len();
        if catch_unwind(AssertUnwindSafe(|| body(&data))).is_err() {
            panic!("`{name}` breaks on {:?}", data.escape_ascii().to_string());
        }
    }
    let took = begin.elapsed();
    println!(
        "{name}: {} seeds, {count} mutations, {bytes} bytes, {took:?}",
        seeds.len()
    );
}

#[test]
fn mutated_plans_are_parsed_or_rejected() {
    run("parse", bodies::parse, 4_000);
}

#[test]
fn mutated_plans_are_edited_and_edits_undone() {
    run("splices", bodies::splices, 1_000);
}

#[test]
fn mutated_plans_are_merged_without_loss() {
    run("merge", bodies::merge, 1_000);
}

#[test]
fn extreme_inputs_are_parsed() {
    let levels: String = (0..1_000)
        .map(|at| format!("{}- [ ] l{at}\n", "  ".repeat(at)))
        .collect();
    let quotes = format!("{}- [ ] deep\n", "> ".repeat(1_000));
    let boxes = "- [ ] task\n".repeat(100_000);
    let line = format!("- [ ] {}", "word ".repeat(200_000));
    let brackets = "[".repeat(200_000);
    let stars = "**a ".repeat(50_000);
    let ends: String = (0..20_000)
        .map(|at| format!("- [ ] t{at}{}", ["\n", "\r\n", "\r"][at % 3]))
        .collect();
    let keys = format!("- [ ] a\n{}", "  - files: `a`, `b`\n".repeat(20_000));
    let front = format!("---\n{}---\n- [ ] a\n", "a: &a [*a]\n".repeat(5_000));
    for (name, text) in [
        ("1,000 levels", levels.as_str()),
        ("1,000 quotes", &quotes),
        ("100,000 boxes", &boxes),
        ("1 MB on one line", &line),
        ("brackets", &brackets),
        ("stars", &stars),
        ("mixed line ends", &ends),
        ("20,000 keys", &keys),
        ("front matter", &front),
    ] {
        let begin = Instant::now();
        bodies::parse(text.as_bytes());
        let read = begin.elapsed();
        // One side changes the start, the other the end.
        let begin = Instant::now();
        let (ours, theirs) = (format!("first\n\n{text}"), format!("{text}\n\nlast\n"));
        let merged = plan::merge::merge(text, &ours, &theirs);
        assert_eq!(
            merged
                .clean()
                .map(|text| (text.starts_with("first"), text.ends_with("last\n"))),
            Some((true, true))
        );
        println!(
            "{name}: {} bytes, body {read:?}, merge {:?}",
            text.len(),
            begin.elapsed()
        );
    }
}
