//! Code passed to an interpreter other than a shell, on the command line or through its input.
//!
//! The code is not parsed but searched for calls that delete, as a human reviewer would. Anything
//! it would run in a shell is read like any other command line.

use super::options::names;
use super::{Harm, SimpleCommand, Subject, harm, harm_to, said};
use crate::destructive::shell::OUTPUT_OF;
use crate::destructive::sql;
use plan::word_list::WordList;

/// Calls that delete.
const REMOVERS: WordList = WordList(
    "\"unlink\"|'unlink'|rmtree(|remove_tree(|os.remove(|os.unlink(|os.removedirs(|os.truncate(|\
    file.remove(|.unlink(|unlink(|unlink |rmSync(|rmdirSync(|fs.rm(|promises.rm(|fsp.rm(|\
    unlinkSync(|rimraf(|truncateSync(|FileUtils.rm|FileUtils.remove|File.delete(|File.truncate(|\
    Deno.remove|Deno.truncate",
);

/// Calls that start programs.
const STARTERS: WordList = WordList(
    "system(|system |popen(|Popen(|subprocess|child_process|execSync(|exec(|exec |os.exec|spawn|\
    shell_exec(|passthru(|Deno.Command|Bun.$",
);

/// Whether a program takes code as an argument.
pub(super) fn is_interpreter(name: &str) -> bool {
    WordList("python node nodejs deno bun tsx ts-node ruby perl php lua luajit Rscript julia awk gawk mawk").contains(name)
}

/// The code in the arguments or the input; `None` if it is in a file.
fn program(name: &str, words: &[String], command: &SimpleCommand) -> Option<String> {
    if matches!(name, "awk" | "gawk" | "mawk") {
        return Some(words.join(" "));
    }
    if name == "deno" && words.first().is_some_and(|word| word == "eval") {
        return names(&words[1..]).first().cloned();
    }
    let letters: &[char] = match name {
        "python" => &['c'],
        "php" => &['r'],
        "perl" | "ruby" => &['e', 'E'],
        _ => &['e', 'p'],
    };
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(text) = word
            .strip_prefix("--eval=")
            .or_else(|| word.strip_prefix("--print="))
        {
            return Some(text.to_owned());
        }
        let is_long = word.starts_with("--");
        let is_given = match is_long {
            true => word == "--eval" || word == "--print",
            false => {
                let cluster = word.strip_prefix('-').unwrap_or_default();
                // `-MFile::Path=rmtree` and `-rfile` name libraries; for Python, `-I` is a switch.
                cluster.chars().all(char::is_alphanumeric)
                    && (name == "python" || !cluster.starts_with(['M', 'I']))
                    && (cluster.len() == 1 || name == "php" || !cluster.starts_with('r'))
                    && cluster.ends_with(letters)
            }
        };
        if is_given {
            return rest.next().cloned();
        }
        if word == "-" {
            break;
        }
        // Code attached to its option: `-pes/a/b/`.
        let cluster = word.strip_prefix('-').unwrap_or_default();
        if matches!(name, "perl" | "ruby")
            && !cluster.starts_with(['M', 'I', 'r', '-'])
            && let Some((_, text)) = cluster.split_once(letters)
        {
            return Some(text.to_owned());
        }
        if !word.starts_with('-') {
            // A script file is not read.
            return None;
        }
        if matches!(word.as_str(), "-r" | "--require" | "-W" | "-X" | "-I") {
            rest.next();
        }
    }
    Some(command.input())
}

/// Whether the code is another program's output, which can't be inspected.
pub(super) fn reads_unread(name: &str, words: &[String], command: &SimpleCommand) -> bool {
    let is_file = words.first().is_some_and(|word| word == OUTPUT_OF);
    let is_fed = || {
        command.has_uninspectable_input()
            && program(name, words, command).is_some_and(|text| text.is_empty())
    };
    is_interpreter(name) && (is_file || is_fed())
}

/// The harms of the code: files that it deletes, empties or overwrites.
pub(super) fn harms(name: &str, words: &[String], command: &SimpleCommand) -> Vec<Harm> {
    let Some(text) = program(name, words, command) else {
        return Vec::new();
    };
    let mut harms = Vec::new();
    let from_os =
        text.contains("from os import") && (text.contains("remove(") || text.contains("truncate("));
    let by_promise = text.contains("promises") && text.contains(".rm(");
    let is_julia = name == "julia" && text.contains("rm(");
    let bare_unlink = name == "perl" && text.trim().trim_end_matches(';') == "unlink";
    let removes = REMOVERS.are_in(&text);
    if removes || from_os || by_promise || is_julia || bare_unlink {
        harms.extend(harm("deletes files", vec![Subject::Words(text.clone())]));
    }
    let literals = literals(&text);
    harms.extend(harm_to("overwrites files", written(&text, &literals)));
    if text.contains("execute") || text.contains("query(") {
        let texts = literals.iter().map(|literal| literal.text.as_str());
        let found: Vec<String> = texts.flat_map(sql::destructive).collect();
        harms.extend(harm_to("deletes database data", said(&found)));
    }
    harms
}

/// Lines that the code would run in a shell, if they are literals.
pub(super) fn lines(name: &str, words: &[String], command: &SimpleCommand) -> Vec<String> {
    if !is_interpreter(name) {
        return Vec::new();
    }
    let Some(text) = program(name, words, command) else {
        return Vec::new();
    };
    let starts = STARTERS.are_in(&text);
    let has_ticks = matches!(name, "perl" | "ruby" | "php");
    let literals = literals(&text);
    let mut lines = Vec::new();
    for (at, literal) in literals.iter().enumerate().take(MAX_LITERALS) {
        if !(starts || (has_ticks && literal.quote == '`')) {
            continue;
        }
        lines.push(literal.text.clone());
        // A command given as a list of words: `["rm", "-rf", "x"]`.
        if !literal.text.contains(char::is_whitespace) {
            let listed: Vec<&str> = literals[at..]
                .iter()
                .take(MAX_LITERALS)
                .map(|literal| literal.text.as_str())
                .collect();
            lines.push(listed.join(" "));
        }
    }
    lines
}

/// Maximum number of string literals to look at.
const MAX_LITERALS: usize = 40;

struct Literal {
    /// Positions of its quotes, in bytes.
    first: usize,
    last: usize,
    quote: char,
    text: String,
}

fn literals(text: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut letters = text.char_indices();
    while let Some((first, quote)) = letters.next() {
        if !matches!(quote, '\'' | '"' | '`') {
            continue;
        }
        let mut inner = String::new();
        while let Some((at, letter)) = letters.next() {
            if letter == quote {
                found.push(Literal {
                    first,
                    last: at + 1,
                    quote,
                    text: inner,
                });
                break;
            }
            match letter {
                '\\' => inner.extend(letters.next().map(|(_, letter)| letter)),
                letter => inner.push(letter),
            }
        }
    }
    found
}

/// Files that the code opens for truncating writes.
fn written(text: &str, literals: &[Literal]) -> Vec<Subject> {
    let mut found = Vec::new();
    let mut add = |literal: &Literal| found.push(Subject::Over(literal.text.clone()));
    for (at, literal) in literals.iter().enumerate() {
        let before = text[..literal.first].trim_end();
        let behind = text[literal.last..].trim_start();
        let writes = WordList(
            "writeFileSync( writeFile( writeTextFile( writeTextFileSync( file_put_contents( \
            File.write(",
        );
        let begins = |call: &str| before.ends_with(call);
        let is_anew = [").write_text(", ").write_bytes("]
            .iter()
            .any(|call| behind.starts_with(call));
        if writes.iter().any(begins) || is_anew {
            add(literal);
        } else if before.ends_with("open(")
            && let Some(mode) = literals.get(at + 1)
        {
            let between = &text[literal.last..mode.first];
            if between.contains(',') && !between.contains(')') && mode.text.starts_with('w') {
                add(literal);
            }
        }
    }
    found
}
