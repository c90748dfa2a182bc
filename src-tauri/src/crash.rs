//! A panic is a fault of the program: where it happened is logged, the rest goes on.
//!
//! What was said is logged at debug level alone, since the message of a panic can hold text of a plan
//! or of a file.

/// Logs every panic from here on, and prints it as the standard library would, safe to show.
#[allow(clippy::print_stderr, reason = "whoever started the program reads it")]
pub(crate) fn log_panics() {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(target: "planwright", %place, "panic");
        let said = panic.payload_as_str().unwrap_or("no text");
        tracing::debug!(target: "planwright", %place, said, "panic");
        eprintln!("{}", workbench::visible(&panic.to_string()));
    }));
}
