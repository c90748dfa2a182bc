//! Classifies files for search: generated and binary files that are never edited, and manifests.

use plan::word_list::WordList;

use crate::among;
use crate::text::{Family, family_of, is_code, is_document};

/// Language tags for English, the default language.
const ENGLISH: [&str; 3] = ["en", "en-US", "en_US"];
/// Name endings of lock files, bundles, images and backups.
const GENERATED: WordList = WordList(
    ".lock .lockb .lockfile -lock.json -lock.yaml -shrinkwrap.json \
     .map .svg .min.js .min.css .snap .orig .bak .tmp",
);
/// How much of a text is searched for a notice that the file is generated, in bytes.
const HEAD: usize = 1_024;

/// Whether a file is generated or not text: lock files, bundles, images, archives, and files marked
/// as generated. Such files are never edited directly.
pub(crate) fn is_generated(path: &str, text: Option<&str>) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    GENERATED.iter().any(|ending| name.ends_with(ending))
        || matches!(name, "go.sum" | "PKG-INFO")
        || path.contains(".egg-info/")
        || match text {
            Some(text) => !is_document(path) && says_it_is_generated(text),
            // The file is not readable as text and not in a known language.
            None => family_of(path) == Family::Script,
        }
}

/// Whether the first lines say that the file must not be edited.
fn says_it_is_generated(text: &str) -> bool {
    let end = (0..=HEAD.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let head = text[..end.unwrap_or(0)].to_lowercase();
    head.contains("@generated")
        || head.contains("generated")
            && (head.contains("do not edit") || head.contains("do not modify"))
}

/// Names of manifests, which contain the project's name, dependencies or build settings.
pub const MANIFESTS: &str = "Cargo.toml package.json pyproject.toml setup.py setup.cfg go.mod pom.xml build.gradle \
    build.gradle.kts libs.versions.toml CMakeLists.txt meson.build Gemfile composer.json requirements.txt";

/// Whether a file is one of [`MANIFESTS`].
pub(crate) fn is_manifest(path: &str) -> bool {
    among(path.rsplit('/').next().unwrap_or(path), MANIFESTS)
}

/// The possible originals of a translated file: `docs/en/a.md` for `docs/de/a.md`, `README.md` for
/// `README.de.md`. Empty for a path without a language tag. Two letters alone are ambiguous (`ui`,
/// `io`): such a folder counts only if there is an English counterpart, and a file suffix counts
/// only outside source code.
pub(super) fn originals(path: &str) -> Vec<String> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut originals = Vec::new();
    let parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
    for (at, part) in parts
        .iter()
        .enumerate()
        .filter(|(_, part)| is_language(part))
    {
        let with = |new: &[&str]| {
            let all = [&parts[..at], new, &parts[at + 1..], &[name]];
            all.concat().join("/")
        };
        originals.extend(ENGLISH.map(|tag| with(&[tag])));
        if part.len() > 2 {
            originals.push(with(&[]));
        }
    }
    let Some((stem, ending)) = name.rsplit_once('.').filter(|_| !is_code(path)) else {
        return originals;
    };
    let beside = |stem: &str| match folders {
        "" => format!("{stem}.{ending}"),
        _ => format!("{folders}/{stem}.{ending}"),
    };
    if is_language(stem) {
        originals.extend(ENGLISH.map(beside));
    }
    // The tag itself may contain the separator, as in `_zh_CN`.
    for (cut, mark) in stem.match_indices(['.', '_', '-']) {
        if is_language(&stem[cut + 1..]) {
            let base = &stem[..cut];
            originals.push(beside(base));
            originals.push(beside(&format!("{base}{mark}en")));
        }
    }
    originals
}

/// Whether a path component looks like a language tag other than English: `de`, `pt-BR`, `zh_Hans`.
fn is_language(part: &str) -> bool {
    let (language, rest) = part
        .split_once(['-', '_'])
        .map_or((part, None), |(language, rest)| (language, Some(rest)));
    let is_tag = language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_lowercase());
    // A region consists of uppercase letters or digits; a script begins with a capital.
    let is_place = |rest: &str| {
        (2..=4).contains(&rest.len())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())
    };
    is_tag && language != "en" && rest.is_none_or(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_recognized_by_name_or_notice() {
        for path in [
            "Cargo.lock",
            "web/package-lock.json",
            "pnpm-lock.yaml",
            "go.sum",
            "bun.lockb",
            "a.min.js",
        ] {
            assert!(is_generated(path, Some("x")), "{path}");
        }
        assert!(is_generated("logo.png", None) && is_generated("tool", None));
        assert!(!is_generated("huge.c", None) && !is_generated("src/lock.rs", Some("x")));
        let said = "// Code generated by protoc. DO NOT EDIT.\n";
        assert!(is_generated("a.pb.go", Some(said)));
        assert!(is_generated("a.ts", Some("/* @generated */")));
        assert!(!is_generated(
            "a.go",
            Some("// The list is generated from the table.\n")
        ));
        let late = format!("{}// generated, do not edit\n", "é\n".repeat(HEAD));
        assert!(!is_generated("a.go", Some(&late)));
    }

    #[test]
    fn translations_have_originals() {
        for (path, original) in [
            ("docs/de/guide.md", "docs/en/guide.md"),
            ("docs/pt-BR/guide.md", "docs/guide.md"),
            ("locales/fr.json", "locales/en.json"),
            ("README.zh-CN.md", "README.md"),
            ("i18n/messages_zh_CN.properties", "i18n/messages.properties"),
            ("app/strings-de.xml", "app/strings-en.xml"),
        ] {
            assert!(originals(path).contains(&original.to_owned()), "{path}");
        }
        for path in [
            "locales/en.json",
            "src/reader.rs",
            "docs/guide.md",
            "src/rows_db.rs",
        ] {
            assert_eq!(originals(path), [""; 0], "{path}");
        }
        assert!(!originals("ui/index.js").contains(&"index.js".to_owned()));
    }
}
