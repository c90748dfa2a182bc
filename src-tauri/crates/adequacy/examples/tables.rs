//! Generates the word table; run by `cargo xtask tables` with the files it has fetched.
//!
//! Arguments: a folder of word frequency lists (`small_de.msgpack.gz`, `large_en.msgpack.gz`, …), a
//! file that lists paths of technical prose, one per line, and the output file. The lists cover
//! general prose; a word that is common in any language counts as common. The technical prose is
//! English only, so words of other languages are assumed to be [`TECHNICAL`] times as frequent in
//! technical prose as in general prose.

#![allow(clippy::print_stdout, reason = "command-line output")]

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use adequacy::rarity::{MAX_BITS, PASSAGE_WORDS, Term, encode, hash};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// File name of the word list for English, the language of the technical prose.
const ENGLISH: &str = "large_en.msgpack.gz";
/// Words with a lower frequency are treated as unlisted.
const RAREST_FREQUENCY: f64 = 1e-6;
/// How many times as frequent the words of plans are in technical prose as in general prose.
const TECHNICAL: f64 = 4.0;
/// Factor applied to the share of files that contain a word, since files are longer than passages.
const FILE: f64 = 0.5;
/// Maximum number of bytes read from one file, so that one long file does not dominate.
const MAX_FILE_LEN: usize = 60_000;

/// A part of a list: the header, or the words of one frequency in centibels.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Words(Vec<String>),
    Head(IgnoredAny),
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [lists, prose, table] = arguments.as_slice() else {
        return Err("usage: tables LISTS_FOLDER PATHS_FILE TABLE_FILE".into());
    };
    let lists = Path::new(lists);
    let mut chances: HashMap<Term, f64> = HashMap::new();
    let english = frequencies(&lists.join(ENGLISH))?;
    let names = lists_of(lists)?;
    for name in &names {
        for (term, frequency) in frequencies(&lists.join(name))? {
            let is_english = english
                .get(&term)
                .is_some_and(|own| *own >= RAREST_FREQUENCY);
            let boost = if is_english { 1.0 } else { TECHNICAL };
            if frequency >= RAREST_FREQUENCY {
                raise(&mut chances, term, frequency * PASSAGE_WORDS * boost);
            }
        }
    }
    let languages = names.len();
    let (files, shares) = shares(Path::new(prose))?;
    for (term, share) in shares {
        raise(&mut chances, term, share * FILE);
    }
    let words = chances.into_iter().map(|(term, chance)| {
        let bits = -chance.clamp((-MAX_BITS).exp2(), 1.0).log2();
        (term, bits)
    });
    let words: Vec<(Term, f64)> = words.filter(|(_, bits)| *bits < MAX_BITS).collect();
    let count = words.len();
    let bytes = encode(words);
    std::fs::write(table, &bytes)?;
    println!(
        "{count} words from {languages} languages and {files} files: {} bytes",
        bytes.len()
    );
    Ok(())
}

fn raise(chances: &mut HashMap<Term, f64>, term: Term, chance: f64) {
    let known = chances.entry(term).or_default();
    *known = known.max(chance);
}

/// File names of the word lists; if a language has two, the larger one.
fn lists_of(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?
            .file_name()
            .into_string()
            .map_err(|_| "a file name is not valid UTF-8")?;
        if name.ends_with(".msgpack.gz") && !name.starts_with('_') {
            names.push(name);
        }
    }
    names.sort();
    let larger: HashSet<String> = names
        .iter()
        .filter_map(|name| Some(format!("small_{}", name.strip_prefix("large_")?)))
        .collect();
    names.retain(|name| !larger.contains(name));
    Ok(names)
}

/// The frequency of each word in a list, from 0 to 1, summed over its inflected forms.
fn frequencies(file: &Path) -> Result<HashMap<Term, f64>, Box<dyn Error>> {
    let mut bytes = Vec::new();
    GzDecoder::new(BufReader::new(File::open(file)?)).read_to_end(&mut bytes)?;
    let parts: Vec<Part> = rmp_serde::from_slice(&bytes)?;
    let mut frequencies = HashMap::new();
    let words = parts.into_iter().filter_map(|part| match part {
        Part::Words(words) => Some(words),
        Part::Head(_) => None,
    });
    for (step, words) in words.enumerate() {
        let frequency = 10_f64.powf(-(step as f64) / 100.0);
        for word in words {
            let mut has_part = false;
            adequacy::stems(&word, &mut |term, _| {
                has_part = true;
                *frequencies.entry(term).or_default() += frequency;
            });
            // In scripts without spaces, words are looked up unchanged.
            if !has_part {
                *frequencies.entry(hash(word.as_bytes())).or_default() += frequency;
            }
        }
    }
    Ok(frequencies)
}

/// Number of files, and the share of files that contain each word.
type Shares = (usize, Vec<(Term, f64)>);

/// The number of files, and the share of files that contain each word. Omits words that occur in
/// only one file, because they are mostly names.
fn shares(paths: &Path) -> Result<Shares, Box<dyn Error>> {
    let mut holding: HashMap<Term, usize> = HashMap::new();
    let mut files = 0;
    for path in std::fs::read_to_string(paths)?.lines() {
        let bytes = std::fs::read(path)?;
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_FILE_LEN)]);
        let mut seen = HashSet::new();
        adequacy::stems(&text, &mut |term, _| {
            seen.insert(term);
        });
        for term in seen {
            *holding.entry(term).or_default() += 1;
        }
        files += 1;
    }
    let shares = holding
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(term, count)| (term, count as f64 / files as f64));
    Ok((files, shares.collect()))
}
