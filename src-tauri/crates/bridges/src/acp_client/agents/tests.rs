//! Tests of finding agents.

use super::*;

fn entry(name: &str) -> AgentEntry {
    AgentEntry {
        name: name.to_owned(),
        ..AgentEntry::default()
    }
}

#[test]
fn a_missing_agent_says_where_it_was_looked_for_and_how_to_install_it() {
    let path = OsStr::new("/nowhere/bin:/nowhere/else");
    let error = find("qwen", &[], Some(path), Path::new("/")).unwrap_err();
    assert!(error.contains("/nowhere/bin:/nowhere/else"), "{error}");
    assert!(
        error.contains("npm install -g @qwen-code/qwen-code"),
        "{error}"
    );
}

#[test]
fn an_entry_changes_only_what_it_sets() {
    let shell = AgentEntry {
        command: vec!["/bin/sh".to_owned(), "-s".to_owned()],
        network: Some(false),
        ..entry("claude")
    };
    let agent = find("claude", &[shell], None, Path::new("/")).unwrap();
    assert_eq!(agent.line(), "/bin/sh -s");
    assert!(!agent.network);
    assert_eq!(agent.kind.allow_once, "allow-once");
    assert_eq!(agent.timeout_s, TIMEOUT_S);
    assert!(agent.environment.contains(&"ANTHROPIC_API_KEY".to_owned()));
}

#[test]
fn an_agent_that_is_not_known_needs_a_command_and_gets_no_trust() {
    let error = find("mine", &[entry("mine")], None, Path::new("/")).unwrap_err();
    assert!(error.contains("needs a `command`"), "{error}");
    let own = AgentEntry {
        command: vec!["/bin/sh".to_owned()],
        ..entry("mine")
    };
    let agent = find("mine", &[own], None, Path::new("/")).unwrap();
    assert_eq!((agent.kind.tier, agent.kind.allow_once), (Tier::Copy, ""));
    assert!(agent.environment.is_empty());
}

#[test]
fn an_unknown_name_lists_the_known_ones() {
    let error = find("other", &[], None, Path::new("/")).unwrap_err();
    assert!(error.contains("qwen, claude, codex"), "{error}");
}
