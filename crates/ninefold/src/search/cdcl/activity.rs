//! The order of decisions: variables that took part in most of the recent conflicts come first
//! (VSIDS, Moskewicz et al. 2001).
//!
//! Tried instead: the group with the smallest size relative to its number of conflicts (dom/wdeg,
//! Boussemart et al. 2004). At 25×25 it needs as many nodes, but finding the group makes each node
//! more expensive: `benchmarks/records/2026-11-15-large-orders.md`.

/// A heap of variables, the most active first.
pub struct Activity {
    score: Vec<f64>,
    /// The amount added for each conflict. It grows, so that old conflicts count less and less.
    gain: f64,
    heap: Vec<u32>,
    /// The index of each variable in the heap, or `ABSENT`.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;
const LARGEST_SCORE: f64 = 1e100;
/// The weight of a conflict relative to the next one. Values from 0.95 to 0.99 are about equally
/// fast.
const DECAY: f64 = 0.98;

impl Activity {
    /// A heap of all variables with equal activity.
    pub fn new(variables: usize) -> Activity {
        let numbers: Vec<u32> = (0..variables as u32).collect();
        Activity { score: vec![0.0; variables], gain: 1.0, heap: numbers.clone(), place: numbers }
    }

    /// Records that a variable took part in a conflict.
    pub fn bump(&mut self, variable: usize) {
        self.score[variable] += self.gain;
        if self.score[variable] > LARGEST_SCORE {
            self.score.iter_mut().for_each(|score| *score /= LARGEST_SCORE);
            self.gain /= LARGEST_SCORE;
        }
        if self.place[variable] != ABSENT {
            self.rise(self.place[variable] as usize);
        }
    }

    /// Reduces the weight of all conflicts so far.
    pub fn decay(&mut self) {
        self.gain /= DECAY;
    }

    /// Removes the most active variable from the heap.
    pub fn pop(&mut self) -> Option<usize> {
        let last = self.heap.pop()?;
        let top = self.heap.first().copied().unwrap_or(last);
        self.place[top as usize] = ABSENT;
        if top != last {
            self.heap[0] = last;
            self.sink();
        }
        Some(top as usize)
    }

    /// Adds a variable to the heap if it is absent.
    pub fn push(&mut self, variable: usize) {
        if self.place[variable] == ABSENT {
            self.heap.push(variable as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    fn rise(&mut self, mut at: usize) {
        let variable = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.heap[parent];
            if self.score[above as usize] >= self.score[variable as usize] {
                break;
            }
            self.set_place(above, at);
            at = parent;
        }
        self.set_place(variable, at);
    }

    fn sink(&mut self) {
        let mut at = 0;
        let variable = self.heap[at];
        let score_at = |heap: &[u32], place: usize| {
            heap.get(place).map(|&variable| self.score[variable as usize])
        };
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let child =
                if score_at(&self.heap, right) > score_at(&self.heap, left) { right } else { left };
            if score_at(&self.heap, child)
                .is_none_or(|score| score <= self.score[variable as usize])
            {
                break;
            }
            let below = self.heap[child];
            self.heap[at] = below;
            self.place[below as usize] = at as u32;
            at = child;
        }
        self.set_place(variable, at);
    }

    fn set_place(&mut self, variable: u32, at: usize) {
        self.heap[at] = variable;
        self.place[variable as usize] = at as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_variables_by_activity_without_duplicates() {
        let mut activity = Activity::new(20);
        for variable in 0..20 {
            for _ in 0..variable * 7 % 20 {
                activity.bump(variable);
            }
            activity.push(variable);
        }
        let out: Vec<usize> = std::iter::from_fn(|| activity.pop()).collect();
        let mut expected: Vec<usize> = (0..20).collect();
        expected.sort_by_key(|variable| std::cmp::Reverse(variable * 7 % 20));
        assert_eq!(out, expected);
        activity.push(4);
        activity.push(4);
        assert_eq!((activity.pop(), activity.pop()), (Some(4), None));
    }

    #[test]
    fn recent_conflicts_outweigh_old_ones_and_scores_stay_finite() {
        let mut activity = Activity::new(2);
        for _ in 0..20_000 {
            activity.bump(0);
            activity.decay();
        }
        assert!(activity.score[0].is_finite() && activity.gain.is_finite());
        assert_eq!(activity.pop(), Some(0));
        activity.push(0);
        for _ in 0..1_000 {
            activity.decay();
        }
        activity.bump(1);
        assert_eq!(activity.pop(), Some(1), "one conflict now counts more than thousands long ago");
    }
}
