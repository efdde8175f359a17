//! Cache of work that several files of a run need: a value of each type that a converter asks
//! for.
//!
//! ```
//! use relicast_convert::SharedWork;
//!
//! // One for a run, or none: converters then do all their work themselves.
//! let shared = SharedWork::default();
//! # drop(shared);
//! ```

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Cache that the converters of one run share.
#[derive(Debug, Default)]
pub struct SharedWork(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl SharedWork {
    /// The one value of this type, created at the first call.
    pub(super) fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(T::default()));
        Arc::clone(value).downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn everybody_gets_the_same_value() {
        let shared = SharedWork::default();
        shared.of::<AtomicU32>().fetch_add(1, Ordering::Relaxed);
        shared.of::<AtomicU32>().fetch_add(1, Ordering::Relaxed);
        assert_eq!(shared.of::<AtomicU32>().load(Ordering::Relaxed), 2);
        assert_eq!(*shared.of::<String>(), "");
    }
}
