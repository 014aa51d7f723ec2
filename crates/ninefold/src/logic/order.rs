//! Default order of techniques, easiest first.

use crate::proof::{self, Technique};

/// Returns the techniques that explanations use by default, in this order.
#[must_use]
pub fn default_order() -> Vec<Technique> {
    proof::default_order()
}

/// Returns the default order with additional techniques, each at the end of its tier. Techniques of
/// tier 4 come before the forcing chains, which try all cases.
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
    use crate::proof::{OneOrTwo, RuleKind};

    #[test]
    fn additional_techniques_come_last_in_their_tier() {
        let check = |more: &[Technique], before: Technique| {
            let order = default_order_with(more);
            let at = order.iter().position(|technique| *technique == more[more.len() - 1]).unwrap();
            assert_eq!(order[at + 1], before);
            assert_eq!(order.len(), default_order().len() + more.len());
        };
        let after_singles = Technique::Rule(RuleKind::Cage);
        check(&[Technique::DirectPointing], after_singles);
        check(&[Technique::DirectPointing, Technique::DirectClaiming], after_singles);
        check(&[Technique::KrakenFish(OneOrTwo::One)], Technique::CellForcingChain);
        check(&[Technique::Medusa], Technique::CellForcingChain);
        assert_eq!(default_order_with(&[Technique::XyWing]), default_order());
    }
}
