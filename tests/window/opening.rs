//! Opening the window: the first screen, the sample, and a path from the command line.

use planwright_tests::Home;
use planwright_tests::window::Window;

#[test]
fn a_new_user_sees_the_goal_box_and_is_one_click_from_the_sample() {
    let home = Home::new();
    let window = Window::open(&home, [""; 0]);
    window.wait_for_text("What do you want to do?");
    window.shot("first");
    window.click("button", "Open the sample program");
    window.wait_for_text("Add a --json flag");
    window.find("row", "Find where the report rows are built");
    window.shot("sample");
}
