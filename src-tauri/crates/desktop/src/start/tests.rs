//! Tests of opening the sample.

use crate::testing::Fixture;

#[test]
fn the_sample_opens_its_plan_as_long_as_it_exists() {
    let fixture = Fixture::with_plan("# A\n");
    let opened = fixture.desktop.open_sample().unwrap();
    let plan = opened.plan.unwrap();
    assert!(plan.starts_with(&opened.workspace.path), "{plan}");
    let outline = fixture.desktop.outline(&plan, None).unwrap();
    assert!(outline.total > 0, "{outline:?}");
    std::fs::remove_file(&plan).unwrap();
    assert_eq!(fixture.desktop.open_sample().unwrap().plan, None);
}
