//! The order of techniques: which ones are tried unless told otherwise, the easiest first.

use crate::proof::{self, Technique};

/// The techniques that explanations try unless told otherwise, in this order.
#[must_use]
pub fn default_order() -> Vec<Technique> {
    proof::default_order()
}

/// The default order with more techniques, each at the end of its tier; those of tier 4 come before the forcing chains,
/// which try everything.
#[must_use]
pub fn default_order_with(more: &[Technique]) -> Vec<Technique> {
    let mut order = default_order();
    for &technique in more.iter().filter(|technique| !technique.is_default()) {
        let tier = technique.tier();
        let comes_later = |other: &Technique| {
            let is_forcing =
                matches!(other, Technique::CellForcingChain | Technique::HouseForcingChain);
            other.tier() > tier || is_forcing && tier == 4
        };
        let place = order.iter().position(comes_later).unwrap_or(order.len());
        if !order.contains(&technique) {
            order.insert(place, technique);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::OneOrTwo;

    #[test]
    fn a_technique_that_is_switched_on_stands_at_the_end_of_its_tier() {
        let check = |more: &[Technique], before: Technique| {
            let order = default_order_with(more);
            let at = order.iter().position(|technique| *technique == more[more.len() - 1]).unwrap();
            assert_eq!(order[at + 1], before);
            assert_eq!(order.len(), default_order().len() + more.len());
        };
        check(&[Technique::DirectPointing], Technique::LockedPair);
        check(&[Technique::DirectPointing, Technique::DirectClaiming], Technique::LockedPair);
        check(&[Technique::KrakenFish(OneOrTwo::One)], Technique::CellForcingChain);
        check(&[Technique::Medusa], Technique::CellForcingChain);
        assert_eq!(default_order_with(&[Technique::XyWing]), default_order());
    }
}
