//! Indices of items in their file.

/// Index of an item among those of its file, as [`Converter::items`](super::Converter::items) lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemIndex(pub usize);

impl ItemIndex {
    /// The container itself. Converters of containers list it before the members.
    pub const CONTAINER: Self = Self(0);

    /// The item of the member at this index of a container.
    pub fn of_member(member: usize) -> Self {
        Self(member.saturating_add(1))
    }

    /// The index of the member among the members; `None` for the container itself.
    pub fn member(self) -> Option<usize> {
        self.0.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_follow_their_container() {
        assert_eq!(ItemIndex::CONTAINER.member(), None);
        assert_eq!(ItemIndex::of_member(0), ItemIndex(1));
        assert_eq!(ItemIndex::of_member(6).member(), Some(6));
    }
}
