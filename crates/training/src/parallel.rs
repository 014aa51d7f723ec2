//! Parallel loops over slices.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls a function for each item on all cores and returns the results in order. A core that is
/// finished with an item takes the next one.
///
/// # Panics
///
/// If the function panics.
pub fn map<T: Sync, U: Send>(items: &[T], function: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, U)> {
        let indices = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let items = indices.map_while(|index| Some((index, items.get(index)?)));
        items.map(|(index, item)| (index, function(item))).collect()
    };
    let mut results: Vec<(usize, U)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores.min(items.len())).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("the function must not panic"))
            .collect()
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let numbers: Vec<usize> = (0..1000).collect();
        assert_eq!(
            map(&numbers, |number| number * 2),
            (0..1000).map(|n| n * 2).collect::<Vec<_>>()
        );
        assert!(map(&[] as &[u8], |_| 0).is_empty());
    }
}
