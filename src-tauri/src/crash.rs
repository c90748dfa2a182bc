//! Logs where panics happen; the rest of the program continues.
//!
//! The message is logged only at debug level, because it may contain text of a plan or file.

/// Logs every panic from now on, and prints it like the standard library, but with control
/// characters escaped.
#[allow(clippy::print_stderr, reason = "panics belong on standard error")]
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
