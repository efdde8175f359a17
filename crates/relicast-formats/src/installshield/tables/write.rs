//! Writer of the tables: writes each structure over the bytes that no structure has.

use super::{ComponentDescriptor, GroupDescriptor, Tables};
use crate::installshield::file::FileDescriptor;
use crate::installshield::records::FileDescriptor5;
use crate::installshield::walker::Placed;
use relicast_codec::{Blob, FixedSize};

/// Writes a value over bytes.
fn put<T: FixedSize>(bytes: &mut [u8], placed: Placed<T>) {
    let mut stored = Vec::with_capacity(T::SIZE);
    placed.value.store(&mut stored);
    put_bytes(bytes, placed.at, &stored);
}

fn put_bytes(bytes: &mut [u8], at: usize, stored: &[u8]) {
    let place = bytes
        .get_mut(at..)
        .and_then(|bytes| bytes.get_mut(..stored.len()));
    if let Some(place) = place {
        place.copy_from_slice(stored);
    }
}

impl Tables<'_> {
    /// Encodes the bytes that the tables were decoded from, each structure by its declaration.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.length];
        for rest in &self.rest {
            put_bytes(&mut bytes, rest.at, &rest.value);
        }
        self.put_structures(&mut bytes);
        bytes
    }

    /// Ranges of `bytes` that no structure writes.
    pub(super) fn uncovered<'b>(&self, bytes: &'b [u8]) -> Vec<Placed<Blob<'b>>> {
        let (mut low, mut high) = (vec![0; self.length], vec![u8::MAX; self.length]);
        self.put_structures(&mut low);
        self.put_structures(&mut high);
        let mut rest: Vec<Placed<Blob<'b>>> = Vec::new();
        let is_covered: Vec<bool> = low
            .iter()
            .zip(&high)
            .map(|(one, other)| one == other)
            .collect();
        let mut place = 0;
        for run in is_covered.chunk_by(|one, next| one == next) {
            let end = place + run.len();
            if let (Some(false), Some(stretch)) = (run.first(), bytes.get(place..end)) {
                rest.push(Placed {
                    at: place,
                    value: Blob::borrowed(stretch),
                });
            }
            place = end;
        }
        rest
    }

    fn put_structures(&self, bytes: &mut [u8]) {
        put_bytes(bytes, 0, &self.header.encode());
        put(bytes, self.descriptor);
        self.words.iter().for_each(|word| put(bytes, *word));
        self.entries.iter().for_each(|entry| put(bytes, *entry));
        self.variables
            .iter()
            .for_each(|variable| put(bytes, *variable));
        if let Some(slots) = self.variable_slots {
            put(bytes, slots);
        }
        for file in &self.files {
            match file.descriptor {
                FileDescriptor::V5(placed, md5) => {
                    put(bytes, placed);
                    if let Some(value) = md5 {
                        put(
                            bytes,
                            Placed {
                                at: placed.at + FileDescriptor5::SIZE,
                                value,
                            },
                        );
                    }
                }
                FileDescriptor::V6(placed) => put(bytes, placed),
            }
        }
        for group in &self.groups {
            match &group.descriptor {
                GroupDescriptor::V5(group) => put(bytes, *group),
                GroupDescriptor::V6(group) => put(bytes, *group),
            }
        }
        for component in &self.components {
            match &component.descriptor {
                ComponentDescriptor::V5(component) => put(bytes, **component),
                ComponentDescriptor::V6(component) => put(bytes, **component),
            }
        }
        self.setup_types
            .iter()
            .for_each(|setup| put(bytes, setup.descriptor));
    }
}
