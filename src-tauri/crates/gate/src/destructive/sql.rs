//! SQL statements that remove data from a database.
//!
//! These are `DROP` of anything that holds data or defines access, `ALTER TABLE … DROP`,
//! `TRUNCATE`, `DELETE`, `UPDATE` without a `WHERE`, and Redis's `FLUSHALL` and `FLUSHDB`. Quoted
//! words and comments are ignored. A file of statements that is only named (`-f dump.sql`) is not
//! read.

use plan::word_list::WordList;

/// The destructive statements in a text, as written.
pub(super) fn destructive(text: &str) -> Vec<String> {
    statements(text)
        .into_iter()
        .filter(|(words, _)| destroys(words))
        .map(|(_, written)| written)
        .collect()
}

/// Objects that hold data or define who may access it.
const DROPPED: WordList =
    WordList("TABLE DATABASE SCHEMA TABLESPACE KEYSPACE OWNED USER ROLE MATERIALIZED COLLECTION");

fn destroys(words: &[String]) -> bool {
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let first = words.first().map(String::as_str).unwrap_or_default();
    match first {
        "DROP" => has("CASCADE") || words.get(1).is_some_and(|word| DROPPED.contains(word)),
        "TRUNCATE" => words.len() > 1,
        "ALTER" => has("TABLE") && has("DROP"),
        "UPDATE" => has("SET") && !has("WHERE"),
        "DELETE" | "WITH" | "BEGIN" => words.windows(2).any(|pair| *pair == ["DELETE", "FROM"]),
        "FLUSHALL" | "FLUSHDB" => true,
        _ => false,
    }
}

/// Each statement: its unquoted words in capitals, and its text as written.
fn statements(text: &str) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let (mut bare, mut written) = (String::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut end = |bare: &mut String, written: &mut String| {
        let words: Vec<String> = bare
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_uppercase)
            .collect();
        if !words.is_empty() {
            found.push((
                words,
                written.split_whitespace().collect::<Vec<_>>().join(" "),
            ));
        }
        bare.clear();
        written.clear();
    };
    while let Some(letter) = letters.next() {
        match letter {
            ';' => end(&mut bare, &mut written),
            '\'' => {
                written.push(letter);
                bare.push(' ');
                for inner in letters.by_ref() {
                    written.push(inner);
                    if inner == '\'' {
                        break;
                    }
                }
            }
            '-' if letters.peek() == Some(&'-') => {
                bare.push(' ');
                while letters.peek().is_some_and(|next| *next != '\n') {
                    letters.next();
                }
            }
            '/' if letters.peek() == Some(&'*') => {
                bare.push(' ');
                let mut before = ' ';
                letters.next();
                for inner in letters.by_ref() {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
            }
            other => {
                bare.push(other);
                written.push(other);
            }
        }
    }
    end(&mut bare, &mut written);
    found
}
