//! The answer to "which one is meant by these first characters?".

/// What a short name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<T> {
    /// Nothing fits.
    None,
    /// Exactly this one.
    One(T),
    /// Several fit, in a fixed order: the caller shows them and asks for more characters.
    Many(Vec<T>),
}

impl<T> Lookup<T> {
    pub(crate) fn of(mut found: Vec<T>) -> Lookup<T> {
        match (found.pop(), found.is_empty()) {
            (None, _) => Lookup::None,
            (Some(only), true) => Lookup::One(only),
            (Some(last), false) => {
                found.push(last);
                Lookup::Many(found)
            }
        }
    }
}
