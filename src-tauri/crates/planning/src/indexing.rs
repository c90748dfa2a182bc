//! Workspace search: the words, names and links of each file, the search terms of a goal, and the
//! ranking of results.
//!
//! `store` saves the output of [`read`] without interpreting it; `workbench` connects the two.
//! Nothing here reads the disk. Files are classified lexically, as in [`crate::text`]; anything
//! that is not understood is left out rather than guessed.

mod history;
mod kinds;
mod links;
mod mentions;
mod query;
mod ranking;
mod tokens;

pub use history::ChangeHistory;
pub use kinds::MANIFESTS;
pub(crate) use kinds::{is_generated, is_manifest};
pub use links::{keys, resolves, target_key};
pub use mentions::mentions;
pub use query::{Query, Role, Term, query};
pub use ranking::{Candidate, FileLookup, Hits, MAX_OFFERED, Ranked, rank};
pub use tokens::{folded, of as words_of};

use crate::text::{Definition, Family, definitions, family_of};

/// What the index stores about one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The words of its path, separated by spaces.
    pub path_words: String,
    /// The words of the names that it defines.
    pub name_words: String,
    /// The words of its content.
    pub text_words: String,
    /// The definitions that it contains.
    pub symbols: Vec<Definition>,
    /// Its references to other files, as targets for [`resolves`].
    pub links: Vec<String>,
}

/// Reads a file for the index; without `text`, its content isn't searched. Files that are never
/// edited by hand get an empty entry.
pub fn read(path: &str, text: Option<&str>) -> Entry {
    if kinds::is_generated(path, text) {
        return Entry::default();
    }
    let path_words = tokens::of_path(path);
    let Some(text) = text else {
        return Entry {
            path_words,
            ..Entry::default()
        };
    };
    let symbols = definitions(path, text);
    let names = symbols.iter().map(|symbol| &*symbol.name);
    let most = match family_of(path) {
        Family::Data => tokens::MAX_DATA_WORDS,
        _ => tokens::MAX_WORDS,
    };
    Entry {
        path_words,
        name_words: tokens::joined(names, tokens::MAX_WORDS),
        text_words: tokens::joined([text], most),
        links: links::links(path, text),
        symbols,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_indexed_by_path_names_and_words() {
        let entry = read(
            "sales/csv_report.py",
            Some("from sales.rows import read\n\n\ndef writeRows(rows):\n    pass\n"),
        );
        assert_eq!(entry.path_words, "sales csv_report csv report py");
        assert_eq!(entry.name_words, "write_rows write rows");
        assert!(entry.text_words.contains("write_rows"), "{entry:?}");
        assert_eq!(entry.symbols[0].name, "writeRows");
        assert_eq!(entry.links, ["sales/rows", "sales/rows/read"]);
    }

    #[test]
    fn generated_files_are_not_indexed() {
        for path in ["Cargo.lock", "web/app.min.js"] {
            let entry = read(path, Some("function total() {\n}\n"));
            assert_eq!(entry, Entry::default(), "{path}");
        }
        assert_eq!(read("logo.png", None), Entry::default());
        assert_eq!(read("huge.c", None).path_words, "huge");
    }
}
