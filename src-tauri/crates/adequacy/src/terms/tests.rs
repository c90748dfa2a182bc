//! Tests of which words count as the same.

use super::*;

fn words(text: &str) -> Vec<Term> {
    let mut found = Vec::new();
    of(text, None, &mut |term, _, _| found.push(term));
    found
}

#[test]
fn forms_of_a_word_are_equal() {
    for forms in [
        &["export", "exports", "exported", "exporting", "Export"][..],
        &["encrypt", "encrypted", "encryption", "encrypts"],
        &["translate", "translation", "translated", "translations"],
        &["retry", "retries", "retried", "retrying"],
        &["stop", "stopped", "stops"],
        &["delete", "deletion", "deleted"],
        &["expire", "expires"],
        &["Erinnerung", "Erinnerungen", "erinnern"],
        &["exportieren", "exportiert"],
        &["affichés", "afficher", "affiche"],
        &["exporta", "exportar", "exportado"],
        &["appliqués", "appliquer", "applique"],
        &["notify", "notification", "notifies"],
    ] {
        let first = words(forms[0]);
        assert_eq!(first.len(), 1, "{forms:?}");
        for form in forms {
            assert_eq!(words(form), first, "{form} and {}", forms[0]);
        }
    }
    assert_ne!(words("export"), words("expert"));
    assert_ne!(words("header"), words("footer"));
}

#[test]
fn names_are_split_and_count_more() {
    let mut found = Vec::new();
    of(
        "Write a `CsvWriter` for --json in src/report_view.ts, 30 rows",
        None,
        &mut |_, kind, word| {
            found.push((word.to_owned(), kind));
        },
    );
    for name in ["Csv", "json", "30"] {
        assert!(
            found.contains(&(name.to_owned(), Kind::Name)),
            "{name}: {found:?}"
        );
    }
    assert!(found.contains(&("rows".to_owned(), Kind::Plain)));
}

#[test]
fn texts_in_scripts_without_spaces_share_words() {
    let goal = words("设置页面需要支持深色模式");
    assert!(
        words("实现深色模式")
            .iter()
            .filter(|word| goal.contains(word))
            .count()
            >= 2
    );
    assert!(!words("导出报表").iter().any(|word| goal.contains(word)));
}
