//! Determines the language of a file from its name.

use plan::word_list::WordList;

use crate::among;

/// Languages with the same syntax for comments, strings and declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Only Python.
    Python,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Only Rust.
    Rust,
    /// Only Go.
    Go,
    /// C, C++, C#, Java, Kotlin, Swift, PHP and the like.
    C,
    /// Ruby, shell, Make and other languages with `#` comments.
    Script,
    /// Formats with keys and values: JSON, YAML, TOML, CSV.
    Data,
    /// Prose: Markdown, reStructuredText, HTML, plain text.
    Document,
}

/// The language family of a file.
pub fn family_of(path: &str) -> Family {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "py" | "pyi" | "pyw" => Family::Python,
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" => {
            Family::JavaScript
        }
        "rs" => Family::Rust,
        "go" => Family::Go,
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cs" | "java" | "kt" | "kts"
        | "swift" | "php" | "scala" | "dart" | "m" | "proto" => Family::C,
        "json" | "jsonc" | "json5" | "yaml" | "yml" | "toml" | "ini" | "cfg" | "conf" | "csv"
        | "tsv" | "xml" | "lock" | "properties" | "env" | "svg" | "ipynb" => Family::Data,
        "md" | "markdown" | "mdx" | "rst" | "txt" | "adoc" | "html" | "htm" | "tex" | "org" => {
            Family::Document
        }
        "" if is_document_name(name) => Family::Document,
        _ => Family::Script,
    }
}

fn is_document_name(name: &str) -> bool {
    const NAMES: WordList = WordList(
        "README CHANGELOG CHANGES CONTRIBUTING LICENSE NOTICE AUTHORS NEWS HISTORY RELEASES",
    );
    let name = name.to_ascii_uppercase();
    NAMES.iter().any(|known| name.starts_with(known))
}

/// Whether a file is prose.
pub fn is_document(path: &str) -> bool {
    family_of(path) == Family::Document
}

/// Whether a document describes the past, like a changelog, and should therefore keep old names.
pub fn is_history(path: &str) -> bool {
    let stem = stem(path).to_ascii_uppercase();
    is_document(path)
        && ["CHANGELOG", "CHANGES", "HISTORY", "NEWS", "RELEASES"]
            .iter()
            .any(|known| stem.starts_with(known))
}

/// Whether a file is source code in a known language.
pub fn is_code(path: &str) -> bool {
    matches!(
        family_of(path),
        Family::Python | Family::JavaScript | Family::Rust | Family::Go | Family::C
    )
}

/// A file name up to its first dot; the whole name if it begins with a dot.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.')
        .next()
        .filter(|stem| !stem.is_empty())
        .unwrap_or(name)
}

/// Whether a file contains tests, judging by its name or folder.
pub fn is_test(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let written = parts.pop().unwrap_or_default();
    let name = written.to_ascii_lowercase();
    if matches!(family_of(path), Family::Document | Family::Data) {
        return false;
    }
    let stem = name.split('.').next().unwrap_or_default();
    let in_test_folder = parts.iter().any(|part| {
        let part = part.to_ascii_lowercase();
        // A folder such as `Shop.Tests` contains a test project.
        let part = part.rsplit('.').next().unwrap_or_default();
        among(part, "test tests __tests__ spec specs testing")
    });
    in_test_folder
        || is_named_as_test(written)
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem == "tests"
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
}

/// Whether a name ends like a test class: `RowsTest.php`, `RowsTests.cs`, but not `Latest.java`.
fn is_named_as_test(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    ["Test", "Tests"].into_iter().any(|ending| {
        let before = stem.strip_suffix(ending);
        before.is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_recognized_by_name_or_folder_in_many_languages() {
        for path in [
            "tests/rows.py",
            "shop/test_rows.py",
            "shop/rows_test.go",
            "spec/rows_spec.rb",
            "web/rows.test.ts",
            "Shop/Tests/Rows.php",
            "Shop.Tests/Rows.cs",
            "shop/RowsTest.java",
            "shop/RowsTests.swift",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in [
            "shop/Latest.java",
            "shop/contest.py",
            "shop/KeySpec.java",
            "shop/Test.php",
            "tests/rows.json",
        ] {
            assert!(!is_test(path), "{path}");
        }
    }
}
