//! Measures the amount of data that is transferred between the program and its page when a step is
//! opened.

use std::fmt::Write;

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};

/// A script that counts transferred bytes by command. It excludes saving the window's place, which
/// happens at its own times.
const COUNT: &str = r"
window.__crossed = {}; window.__last = performance.now(); window.__open = 0;
const real = window.fetch;
window.fetch = async (...given) => {
  window.__open += 1; window.__last = performance.now();
  const answer = await real(...given);
  const body = given[1]?.body;
  const name = String(given[0]).split('/').pop();
  const bytes = (typeof body === 'string' ? body.length : body?.byteLength ?? 0) + (await answer.clone().arrayBuffer()).byteLength;
  if (name !== 'save_place') window.__crossed[name] = (window.__crossed[name] ?? 0) + bytes;
  window.__open -= 1; window.__last = performance.now();
  return answer;
};";

const QUIET: &str = "window.__open === 0 && performance.now() - window.__last > 400";

/// The bytes transferred, by command and in total, when opening one step whose row is already on
/// screen.
fn cost_of_opening(tasks: usize) -> (String, u64) {
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
    window.script(COUNT, Vec::new());
    window.click("row", "Write file number 00002");
    window.wait_for("nothing to be on its way", QUIET);
    window.script("window.__crossed = {};", Vec::new());
    window.press("e");
    window.find("textbox", "Title");
    window.wait_for_text("Complexity");
    window.wait_for("nothing to be on its way", QUIET);
    let crossed = window.script("return window.__crossed;", Vec::new());
    let all = crossed.as_object().into_iter().flatten();
    let sum = all.filter_map(|(_, bytes)| bytes.as_u64()).sum();
    (crossed.to_string(), sum)
}

#[test]
fn opening_one_step_costs_the_same_in_a_plan_of_ten_and_of_ten_thousand() {
    let (small, small_sum) = cost_of_opening(10);
    let (large, large_sum) = cost_of_opening(10_000);
    println!("bytes: {small} of 10 steps, {large} of 10,000");
    assert!(small_sum > 100, "the counter works: {small}");
    // In the long plan, line and step numbers have more digits.
    assert!(
        large_sum <= small_sum + 40,
        "{small} of 10 steps, {large} of 10,000"
    );
}
