//! Parallel loops over slices.

/// Calls a function for each item on all cores and returns the results in order.
///
/// # Panics
///
/// If the function panics.
pub fn map<T: Sync, U: Send>(items: &[T], function: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(count).max(1);
    std::thread::scope(|scope| {
        let function = &function;
        let threads: Vec<_> = items
            .chunks(share)
            .map(|items| scope.spawn(move || items.iter().map(function).collect::<Vec<U>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|part| part.join().expect("the function must not panic"))
            .collect()
    })
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
