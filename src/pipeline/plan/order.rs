//! The order in which files are converted.

use std::cmp::Reverse;

use super::planned::{Plan, PlannedFile};
use crate::pipeline::run::open_dependencies::handed;
use relicast_convert::Needs;
use relicast_formats::kind::Kind;

/// Order of the files of a plan: largest first, but the archives of one zone together, because they depend on
/// one another.
pub(in crate::pipeline) fn order_of_work(plan: &Plan) -> Vec<usize> {
    let family = |(index, file): (usize, &PlannedFile)| match file.kind {
        Kind::Pfs => {
            let family = handed(file, Needs::Zone, plan).into_iter().chain([index]);
            family.min().unwrap_or(index)
        }
        _ => index,
    };
    let families: Vec<usize> = plan.files.iter().enumerate().map(family).collect();
    let mut largest = vec![0; plan.files.len()];
    for (file, &family) in plan.files.iter().zip(&families) {
        largest[family] = file.source.size.max(largest[family]);
    }
    let mut order: Vec<usize> = (0..plan.files.len()).collect();
    order.sort_by_key(|&index| {
        let family = families[index];
        let size = plan.files[index].source.size;
        (Reverse(largest[family]), family, Reverse(size))
    });
    order
}
