//! Enums whose values each have one name, which is used for storage, settings and display.

/// Defines an enum of unit variants with a name for each; `as_str` returns the name. serde uses the
/// same names, unless the definition starts with `without serde:`.
#[macro_export]
macro_rules! named {
    (without serde: $(#[$meta:meta])* $vis:vis enum $kind:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)*
    }) => {
        $(#[$meta])*
        $vis enum $kind { $($(#[$doc])* $value,)* }

        impl $kind {
            /// All values, in order.
            $vis const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The name of this value.
            $vis const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $name),* }
            }

            /// The value with this name.
            $vis fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == name)
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $kind:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)*
    }) => {
        $crate::named! {
            without serde:
            $(#[$meta])*
            $vis enum $kind { $($(#[$doc])* #[serde(rename = $name)] $value = $name,)* }
        }
    };
}
