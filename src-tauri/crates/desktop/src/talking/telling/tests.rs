//! Tests of which notices in a conversation are shown to the person.

use super::*;
use crate::testing::Fixture;

#[test]
fn what_the_model_is_told_about_its_reply_reaches_no_notice() {
    let fixture = Fixture::with_plan("# A\n\n- [ ] **T1** One\n");
    let shared = Arc::clone(&fixture.desktop.shared);
    let mut teller = Teller::new(shared, "s1", &fixture.plan(), "A");
    let message = "Couldn't use the reply. Message to the model: Call edit_plan now.";
    teller.tell(SessionEvent::Faulted {
        message: message.to_owned(),
    });
    teller.tell(SessionEvent::Notice {
        message: "The model has no tools".to_owned(),
    });
    let told: Vec<String> = fixture
        .events()
        .into_iter()
        .filter_map(|event| match event {
            DesktopEvent::Notice { message, .. } => Some(message),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["The model has no tools"]);
}
