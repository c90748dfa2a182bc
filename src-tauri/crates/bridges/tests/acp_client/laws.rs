//! Laws of steps handed over to an agent: whatever it does, nothing changes that wasn't approved, and
//! it sees nothing that is hidden from models.

use proptest::prelude::*;

use crate::site::{Site, TIERS, Tier};

#[test]
fn what_is_hidden_from_an_agent_stays_hidden_after_it_wrote_it() {
    for (path, files) in [(".env", "`a.txt`, `.env`"), (".env", "`a.txt`")] {
        for tier in TIERS {
            let write = tier.change(path, "OTHER=mine");
            let turn = format!("echo; {write}; show {path}; read {path}");
            let mut site = Site::new(tier, &[turn.as_str(); 4].join(" || "), "true");
            let plan = site.read("plans/p.md").unwrap();
            let plan = plan.replace("`a.txt`, `b.txt`", files);
            std::fs::write(site.path("plans/p.md"), plan).unwrap();
            let before = site.files();
            let ran = site.run();
            assert_eq!(site.files(), before, "{ran:?}");
            for hidden in ["HIDDEN_KEY", "hidden-value"] {
                assert!(!ran.said.contains(hidden), "{ran:?}");
            }
        }
    }
}

#[test]
fn a_change_that_cannot_be_made_is_not_asked_about() {
    for path in [
        ".git/config",
        ".planwright/settings.json",
        "sub/.git/hooks/x",
    ] {
        for tier in TIERS {
            let write = tier.change(path, "x");
            let mut site = Site::new(tier, &[write.as_str(); 4].join(" || "), "false");
            let before = site.files();
            let ran = site.run();
            assert_eq!(site.files(), before, "{ran:?}");
            let is_permission = |asked: &String| asked.starts_with("permission:");
            assert!(!ran.asked.iter().any(is_permission), "{path:?} {ran:?}");
        }
    }
}

fn action() -> impl Strategy<Value = String> {
    let path = prop::sample::select(vec![
        "a.txt",
        "b.txt",
        "c.txt",
        "new.txt",
        ".env",
        "deps/lib.js",
        "../x.txt",
        "plans/p.md",
    ]);
    let kind = prop::sample::select(vec![
        "write", "put", "drop", "read", "permit", "mode", "list", "request", "show", "echo",
    ]);
    let text = prop::sample::select(vec!["one", "two", "script"]);
    (kind, path, text).prop_map(|(kind, path, text)| format!("{kind} {path} {text}"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_behavior_changes_a_byte_outside_what_was_approved(
        is_copy: bool,
        turns in prop::collection::vec(prop::collection::vec(action(), 0..5), 1..3),
    ) {
        let tier = if is_copy { Tier::Copy } else { Tier::Mediated };
        let look = ["show .env; show deps/.env".to_owned(), "echo".to_owned()];
        let turns = turns.iter().map(|turn| [&look[..], turn].concat().join("; "));
        let turns: Vec<String> = turns.collect();
        let mut site = Site::new(tier, &turns.join(" || "), "true");
        let before = site.files();
        let ran = site.run();
        let mut after = site.files();
        let mut expected = before;
        for named in ["a.txt", "b.txt"] {
            after.remove(&site.path(named));
            expected.remove(&site.path(named));
        }
        prop_assert_eq!(after, expected, "{:?}", ran);
        for hidden in ["HIDDEN_KEY", "hidden-value"] {
            prop_assert!(!ran.said.contains(hidden), "{:?}", ran);
        }
        prop_assert!(!site.has_processes());
    }
}
