//! Work on all cores: this is where a list is shared among threads.

/// Calls a function for each item, on all cores; the results come in order.
pub(crate) fn map<T: Sync, U: Send>(items: &[T], function: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let function = &function;
        let working: Vec<_> = items
            .chunks(share)
            .map(|items| scope.spawn(move || items.iter().map(function).collect::<Vec<U>>()))
            .collect();
        working
            .into_iter()
            .flat_map(|part| part.join().expect("the function does not panic"))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_keep_the_order() {
        let numbers: Vec<usize> = (0..1000).collect();
        assert_eq!(
            map(&numbers, |number| number * 2),
            (0..1000).map(|n| n * 2).collect::<Vec<_>>()
        );
        assert!(map(&[] as &[u8], |_| 0).is_empty());
    }
}
