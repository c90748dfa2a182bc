//! Tests that later notices about a run replace earlier ones.

use super::*;
use crate::testing::Fixture;

#[test]
fn all_news_of_a_lost_server_is_one_notice_that_changes() {
    let fixture = Fixture::with_plan("# A\n\n- [ ] **T1** One\n");
    let carried = Carried {
        run: "r1".to_owned(),
        plan: fixture.plan(),
        title: "A".to_owned(),
        workspace: fixture.root.display().to_string(),
    };
    let mut teller = Teller::new(Arc::clone(&fixture.desktop.shared), carried);
    let server = |state: &str, reason: &str| RunEvent::Server {
        task: "T1".to_owned(),
        state: state.to_owned(),
        reason: reason.to_owned(),
        waited_ms: 2_000,
        limit_ms: 60_000,
    };
    for message in ["T1: attempt 1 of 3 failed", "no output for 5 s"] {
        let message = message.to_owned();
        teller.tell(RunEvent::Delayed { message });
    }
    teller.tell(server("gone", "connection refused"));
    teller.tell(server("back", ""));
    let other = "T1 is large".to_owned();
    teller.tell(RunEvent::Notice { message: other });
    let notices = fixture
        .events()
        .into_iter()
        .filter_map(|event| match event {
            DesktopEvent::Notice { about, message } => Some((about, message)),
            _ => None,
        });
    let (about, messages): (Vec<_>, Vec<_>) = notices.unzip();
    let server = Some("model-server/r1".to_owned());
    assert_eq!(about[..4], [(); 4].map(|()| server.clone()));
    assert_eq!(about[4..], [None]);
    assert_eq!(messages[3], "T1: the model server is back after 2 s");
}
