//! What opening one step costs on the way between the program and its page.

use std::fmt::Write;

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use serde_json::json;

const COUNT: &str = r"
window.__bytes = 0; window.__calls = 0;
const real = window.fetch;
window.fetch = async (...given) => {
  const answer = await real(...given);
  const body = given[1]?.body;
  window.__bytes += typeof body === 'string' ? body.length : body?.byteLength ?? 0;
  window.__bytes += (await answer.clone().arrayBuffer()).byteLength;
  window.__calls += 1;
  return answer;
};";

/// Bytes and calls of opening the last step, with the rows around it in view already.
fn cost_of_opening(tasks: usize) -> (u64, u64) {
    let mut plan = String::from("# Many steps\n\n## Tasks\n");
    for number in 1..=tasks {
        let _ = writeln!(
            plan,
            "- [ ] **T{number:05}** Write file number {number:05}\n  - files: `src/{number:05}.txt`\n  - verify: `true`"
        );
    }
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", plan));
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.click("row", "Write file number 00002");
    window.settle();
    window.script(COUNT, Vec::new());
    window.press("e");
    window.find("textbox", "Title");
    window.wait_for_text("Complexity");
    window.settle();
    let count = |name: &str| {
        let script = format!("return window.{name};");
        window
            .script(&script, Vec::new())
            .as_u64()
            .unwrap_or_default()
    };
    let cost = (count("__bytes"), count("__calls"));
    window.press("Escape");
    cost
}

#[test]
fn opening_one_step_costs_the_same_in_a_plan_of_ten_and_of_ten_thousand() {
    let (small, small_calls) = cost_of_opening(10);
    let (large, large_calls) = cost_of_opening(10_000);
    println!(
        "{}",
        json!({"10": [small, small_calls], "10000": [large, large_calls]})
    );
    assert!(small > 100, "the count counts: {small} bytes");
    // Numbers of lines have a few digits more in the long plan.
    assert!(
        large <= small + 200,
        "{small} bytes in {small_calls} calls at 10 steps, {large} in {large_calls} at 10,000"
    );
}
