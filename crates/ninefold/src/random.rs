//! A seeded random number generator that always gives the same numbers for the same seed.
//!
//! A seed must generate the same puzzles in ten years, so the generator is implemented here instead
//! of using a crate whose numbers may change between versions. It is xoshiro256** by Blackman and
//! Vigna, seeded with SplitMix64 as they recommend.

/// A stream of random numbers. The same seed always gives the same stream, on every machine.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Random {
        let mut mix = seed;
        Random { state: std::array::from_fn(|_| split_mix(&mut mix)) }
    }

    /// The stream of part `index` of a computation with this seed. Parts are independent, so they
    /// can run in any order and on any thread.
    pub fn for_part(seed: u64, index: u64) -> Random {
        let mut mix = seed;
        let spread = split_mix(&mut mix);
        Random::new(spread ^ index.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let answer = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = b << 17;
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ shifted, d.rotate_left(45)];
        answer
    }

    /// A uniformly distributed number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        // Lemire's method: the high half of the product is the result. Products whose low half is
        // below `biased` are rejected, because they would make some results more likely.
        let end = end as u64;
        let biased = end.wrapping_neg() % end;
        loop {
            let product = u128::from(self.bits()) * u128::from(end);
            if product as u64 >= biased {
                return (product >> 64) as usize;
            }
        }
    }

    /// Returns true with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// A number from the standard normal distribution (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let mut uniform = || ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        let (radius, angle) = (uniform(), uniform());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    /// Shuffles the items uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A uniformly chosen item, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.below(items.len())]) }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_streams() {
        let mut random = Random::new(9);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        let mut again = Random::new(9);
        assert_eq!(first, (0..3).map(|_| again.bits()).collect::<Vec<_>>());
        assert_ne!(first[0], Random::new(10).bits());
    }

    #[test]
    fn below_is_uniform() {
        let mut random = Random::new(1);
        let mut seen = [0usize; 6];
        for _ in 0..60_000 {
            seen[random.below(6)] += 1;
        }
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<usize> = (0..50).collect();
        Random::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
