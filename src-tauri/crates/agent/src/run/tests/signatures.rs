//! Tests of the answers with which a person signs a step as done.

use super::*;

const BY_HAND: &str = "\
# Release the new version

## Tasks
- [ ] **T1** Tell the customers about the release
  - by: person
";

#[test]
fn a_signature_without_a_change_a_check_or_words_is_asked_about() {
    let mut world = World::new(BY_HAND);
    let (ended, _) = world.play(World::config(r#"{"T1": {"done": true}}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert!(
        world.asked[0].message.contains("in one line what was done"),
        "{:?}",
        world.asked
    );
    assert_eq!(world.plan.matches("- [x]").count(), 0);
    // Repeating the same answer is not enough.
    let (ended, _) = world.play(World::config(r#"{"T1": "Done"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));

    let said = r#"{"T1": {"done": true, "note": "mailed all 12 of them"}}"#;
    let (ended, _) = world.play(World::config(said), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    let receipt = crate::receipt::receipt(&world.timed()).unwrap();
    let signature = receipt.steps[0]
        .evidence
        .iter()
        .find(|one| one.kind == "signature");
    assert_eq!(signature.unwrap().summary, "mailed all 12 of them");
}

#[test]
fn a_signature_is_enough_where_files_changed_or_a_check_passes() {
    let checked = BY_HAND.replace(
        "  - by: person\n",
        "  - by: person\n  - verify: `make test`\n",
    );
    let mut world = World::new(&checked);
    let (ended, _) = world.play(World::config(r#"{"T1": {"done": true}}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));

    let mut world = World::new(BY_HAND);
    world
        .written
        .insert("T1".to_owned(), BTreeSet::from(["CHANGES.md".to_owned()]));
    let (ended, _) = world.play(World::config(r#"{"T1": {"done": true}}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
}
