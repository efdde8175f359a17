//! Small fixed structures that fill bulk arrays, and text of the games' code page.

use encoding_rs::WINDOWS_1252;

/// Declares a copyable structure that is its own [`FixedSize`](crate::formats::codec::FixedSize): the
/// elements of long lists are read and written by it without a walk for each field.
macro_rules! plain_struct {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $crate::formats::codec::FixedSize for $name {
            const SIZE: usize = 0 $(+ <$type as $crate::formats::codec::FixedSize>::SIZE)*;
            #[inline]
            fn load(bytes: &[u8]) -> Option<Self> {
                let rest = bytes;
                $(
                    let ($field, rest) =
                        rest.split_at_checked(<$type as $crate::formats::codec::FixedSize>::SIZE)?;
                )*
                let _ = rest;
                Some(Self {
                    $($field: <$type as $crate::formats::codec::FixedSize>::load($field)?,)*
                })
            }
            #[inline]
            fn store(self, out: &mut Vec<u8>) {
                $($crate::formats::codec::FixedSize::store(self.$field, out);)*
            }
        }
    };
}
pub(super) use plain_struct;

/// Text of Windows-1252 bytes; every byte has a character, so nothing is lost.
pub(super) fn text(bytes: &[u8]) -> String {
    WINDOWS_1252
        .decode_without_bom_handling(bytes)
        .0
        .into_owned()
}

/// Windows-1252 bytes of a text; `None` when a character has none.
pub(super) fn text_bytes(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = WINDOWS_1252.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}
