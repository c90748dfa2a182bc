//! Tells the person in the host's own dialog that a plan waits for their decision, if the host
//! supports elicitation.
//!
//! The dialog describes the plan and asks the person to decide in the window. It has no fields, and
//! the button that the person chooses in it is ignored: decisions are made only in the window.

use std::collections::BTreeMap;

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitationSchema, InputRequest, InputRequiredResult,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer};

/// The dialog's key in a result that requires input.
const KEY: &str = "decide_in_window";

/// How a dialog reaches the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialog {
    /// The server sends it as a request, and cancels it once a decision is made.
    Request,
    /// It is the result of the call. The host repeats the call once the person has seen it.
    Result,
}

impl Dialog {
    /// How a dialog reaches the host that made a call; `None` if the host doesn't support dialogs.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let elicitation = context.client_capabilities()?.elicitation?;
        // A host that names no mode supports forms, the only mode in the first version.
        if elicitation.form.is_none() && elicitation.url.is_some() {
            return None;
        }
        let version = context.protocol_version();
        let takes_no_requests = version.is_some_and(|of| of >= ProtocolVersion::V_2026_07_28);
        Some(match takes_no_requests {
            true => Self::Result,
            false => Self::Request,
        })
    }
}

/// The result that shows the dialog. The host sends the review's ID back with the repeated call.
pub(super) fn result(message: String, review: &str) -> InputRequiredResult {
    let dialog = InputRequest::Elicitation(request(message));
    let dialogs = BTreeMap::from([(KEY.to_owned(), dialog)]);
    InputRequiredResult::new(Some(dialogs), Some(review.to_owned()))
}

/// Shows the dialog until `decided` is done, or until the person closes it.
pub(super) async fn show(
    peer: Peer<RoleServer>,
    message: String,
    decided: impl Future<Output = ()>,
) {
    let dialog = ServerRequest::ElicitRequest(request(message));
    let sent = peer
        .send_cancellable_request(dialog, PeerRequestOptions::no_options())
        .await;
    let mut dialog = match sent {
        Ok(dialog) => dialog,
        Err(error) => return tracing::debug!(%error, "couldn't show a dialog in a host"),
    };
    tokio::select! {
        _ = &mut dialog.rx => {}
        () = decided => {
            let reason = "decided in Planwright's window".to_owned();
            // The host may be gone by now.
            let _ = dialog.cancel(Some(reason)).await;
        }
    }
}

fn request(message: String) -> ElicitRequest {
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    })
}
