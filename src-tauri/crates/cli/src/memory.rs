//! Configures when the allocator returns memory to the system. Allocates nothing itself.

use libmimalloc_sys::{mi_option_set, mi_option_t};

/// Option `purge_delay`: milliseconds until unused pages are returned to the system.
const PURGE_DELAY: mi_option_t = 15;

/// Returns unused memory immediately. By default, it is returned by later allocations, and a
/// conversation spends most of its time waiting, so half of its memory would stay unused.
#[expect(
    unsafe_code,
    reason = "the allocator's options can only be set through C"
)]
pub(crate) fn give_back_at_once() {
    // SAFETY: sets one number that the allocator reads; may be called at any time.
    unsafe { mi_option_set(PURGE_DELAY, 0) };
}
