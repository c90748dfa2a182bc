//! How the allocator gives memory back. Allocates nothing itself.

use libmimalloc_sys::{mi_option_set, mi_option_t};

/// The option `purge_delay`: after how many milliseconds unused pages go back to the system.
const PURGE_DELAY: mi_option_t = 15;

/// Has unused memory go back at once. By default it goes back with later allocations, and a
/// conversation spends most of its time waiting: half of its memory would be kept for nothing.
#[expect(
    unsafe_code,
    reason = "the allocator's options are set by its C interface"
)]
pub(crate) fn give_back_at_once() {
    // SAFETY: sets one number that the allocator reads; may be called at any time.
    unsafe { mi_option_set(PURGE_DELAY, 0) };
}
