//! The main job from the first screen to the receipt, done with the mouse.

use planwright_tests::{Home, job};

#[test]
fn a_goal_becomes_a_plan_and_an_approved_plan_becomes_a_receipt() {
    let home = Home::new();
    let mut number = 0;
    job::play(&home, &mut |window, name, _| {
        number += 1;
        window.shot(&format!("job-{number:02}-{name}"));
    });
}
