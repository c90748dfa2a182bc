//! Runs the fuzz target's body on deterministic mutations of its seeds. `cargo +nightly fuzz run
//! repair` searches further, guided by coverage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;

/// Fragments from which replies are made.
const TOKENS: [&str; 26] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "`",
    "```json\n",
    "\\",
    "\\\"",
    "<tool_call>",
    "</tool_call>",
    "<function=look>",
    "<think>",
    "</think>",
    "<|im_end|>",
    "delete_file",
    "write_file",
    "\"path\": ",
    "\n",
    ",",
    ":",
    "(",
    ")",
    "é",
    "\u{0}",
];

#[test]
fn mutated_replies_keep_every_promise() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 14, "the seeds are there");
    let seeds: Vec<Vec<u8>> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let asked = std::env::var("PLANWRIGHT_CASES").ok();
    let count: usize = asked.and_then(|asked| asked.parse().ok()).unwrap_or(3_000);
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % end.max(1)
    };
    for at in 0..seeds.len() + count {
        let mut data = seeds[at % seeds.len()].clone();
        for _ in 0..if at < seeds.len() { 0 } else { 1 + below(5) } {
            let from = below(data.len() + 1);
            let to = (from + below(30)).min(data.len());
            match below(6) {
                0 if from < data.len() => data[from] ^= 1 << below(8),
                1 => drop(data.drain(from..to)),
                2 => data.truncate(from.max(1)),
                3 => {
                    let other = &seeds[below(seeds.len())];
                    let start = below(other.len());
                    let piece = other[start..(start + below(60)).min(other.len())].to_vec();
                    data.splice(from..from, piece);
                }
                _ => {
                    let token = TOKENS[below(TOKENS.len())];
                    data.splice(from..from, token.bytes());
                }
            }
        }
        if catch_unwind(AssertUnwindSafe(|| bodies::repair(&data))).is_err() {
            panic!("`repair` breaks on {:?}", data.escape_ascii().to_string());
        }
    }
}
