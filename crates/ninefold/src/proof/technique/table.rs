//! The table of techniques, with one row for each.
//!
//! The rows are in search order. Techniques that are enabled by default come first, from easy to
//! hard. They are in the order of HoDoKu, and techniques that HoDoKu lacks are next to related
//! ones. The techniques that are tried only on request follow.
//!
//! The ratings are those of Sudoku Explainer 1.2.1 (a range if they depend on the length of a chain
//! or the size of a set). The scores and codes are those of HoDoKu 2.2.0 with its default settings.
//! If those programs classify a technique differently, the value of the most similar technique is
//! given.

use super::Technique::{self, *};
use super::{Chapter, Fins, FishSize, HodokuLevel, Shape};
use super::{DeadlyType, OneOrTwo, RectangleType, RuleKind, SubsetSize, WingSize};
use Chapter::*;
use Fins::{Finned, Sashimi};
use FishSize::*;
use HodokuLevel::*;
use RectangleType::*;
use Shape::*;
use SubsetSize::*;
use WingSize::*;
use std::sync::LazyLock;

/// The properties of a technique.
pub(super) struct Row {
    pub technique: Technique,
    pub name: &'static str,
    pub tier: u8,
    pub chapter: Chapter,
    pub is_default: bool,
    pub needs_uniqueness: bool,
    pub hodoku_code: Option<&'static str>,
    pub hodoku_score: Option<(u32, HodokuLevel)>,
    pub explainer_rating: Option<&'static str>,
}

/// All rows, in search order.
pub(super) static ROWS: &[Row] = &[
    on(FullHouse, "Full House", 0, First).hodoku("0000", 4, Easy).explainer("1.0"),
    on(NakedSingle, "Naked Single", 0, First).hodoku("0003", 4, Easy).explainer("2.3"),
    on(HiddenSingle, "Hidden Single", 0, First).hodoku("0002", 14, Easy).explainer("1.2–1.5"),
    on(Rule(RuleKind::Cage), "Cage Combinations", 1, Subsets),
    on(Rule(RuleKind::Dots), "Dots and Signs", 1, Subsets),
    on(Rule(RuleKind::Palindrome), "Palindrome", 1, Subsets),
    on(Rule(RuleKind::Thermometer), "Thermometer", 1, Subsets),
    on(Rule(RuleKind::Whispers), "Whispers Line", 1, Subsets),
    on(Rule(RuleKind::Modular), "Modular Line", 1, Subsets),
    on(Rule(RuleKind::Renban), "Renban Line", 1, Subsets),
    on(Rule(RuleKind::Quadruple), "Quadruple", 1, Subsets),
    on(Rule(RuleKind::Arrow), "Arrow", 1, Subsets),
    on(Rule(RuleKind::Between), "Between Line", 1, Subsets),
    on(Rule(RuleKind::LittleKiller), "Little Killer", 1, Subsets),
    on(Rule(RuleKind::Sandwich), "Sandwich", 1, Subsets),
    on(Rule(RuleKind::XSum), "X-Sum", 1, Subsets),
    on(Rule(RuleKind::Skyscraper), "Skyscraper Clue", 1, Subsets),
    on(Rule(RuleKind::NumberedRoom), "Numbered Room", 1, Subsets),
    on(Rule(RuleKind::EqualSums), "Equal Sums", 1, Subsets),
    on(Rule(RuleKind::Circles), "Counting Circles", 1, Subsets),
    on(Rule(RuleKind::Indexer), "Indexer", 1, Subsets),
    on(Rule(RuleKind::Other), "Rule", 1, Subsets),
    on(CageOverlap, "Cage Overlap", 1, Subsets),
    on(InniesAndOuties, "Innies and Outies", 1, Subsets),
    on(LockedPair, "Locked Pair", 1, Subsets).hodoku("0110", 40, Medium),
    on(LockedTriple, "Locked Triple", 1, Subsets).hodoku("0111", 60, Medium),
    on(Pointing, "Locked Candidates Type 1", 1, Subsets)
        .hodoku("0100", 50, Medium)
        .explainer("2.6"),
    on(Claiming, "Locked Candidates Type 2", 1, Subsets)
        .hodoku("0101", 50, Medium)
        .explainer("2.8"),
    on(CommonPeer, "Common Peer", 1, Subsets),
    on(NakedSubset(Pair), "Naked Pair", 1, Subsets).hodoku("0200", 60, Medium).explainer("3.0"),
    on(NakedSubset(Triple), "Naked Triple", 1, Subsets).hodoku("0201", 80, Medium).explainer("3.6"),
    on(HiddenSubset(Pair), "Hidden Pair", 1, Subsets).hodoku("0210", 70, Medium).explainer("3.4"),
    on(HiddenSubset(Triple), "Hidden Triple", 1, Subsets)
        .hodoku("0211", 100, Medium)
        .explainer("4.0"),
    on(LawOfLeftovers, "Law of Leftovers", 2, Subsets),
    on(NakedSubset(Quadruple), "Naked Quadruple", 2, Subsets)
        .hodoku("0202", 120, Hard)
        .explainer("5.0"),
    on(HiddenSubset(Quadruple), "Hidden Quadruple", 2, Subsets)
        .hodoku("0212", 150, Hard)
        .explainer("5.4"),
    on(fish(XWing, Basic, Fins::None), "X-Wing", 2, Wings)
        .hodoku("0300", 140, Hard)
        .explainer("3.2"),
    on(fish(Swordfish, Basic, Fins::None), "Swordfish", 2, Wings)
        .hodoku("0301", 150, Hard)
        .explainer("3.8"),
    on(fish(Jellyfish, Basic, Fins::None), "Jellyfish", 2, Wings)
        .hodoku("0302", 160, Hard)
        .explainer("5.2"),
    on(RemotePair, "Remote Pair", 2, Wings).hodoku("0703", 110, Hard).explainer("6.5–7.0"),
    unique(Bug(DeadlyType::One), "BUG+1", 2).hodoku("0610", 100, Hard).explainer("5.6"),
    on(Skyscraper, "Skyscraper", 2, Wings).hodoku("0400", 130, Hard).explainer("6.6–7.0"),
    on(TwoStringKite, "2-String Kite", 2, Wings).hodoku("0401", 150, Hard).explainer("6.6–7.0"),
    on(TurbotFish, "Turbot Fish", 2, Wings).hodoku("0403", 120, Hard).explainer("6.6–7.0"),
    on(EmptyRectangle, "Empty Rectangle", 2, Wings).hodoku("0402", 120, Hard),
    on(WWing, "W-Wing", 2, Wings).hodoku("0803", 150, Hard).explainer("7.0–8.0"),
    on(XyWing, "XY-Wing", 2, Wings).hodoku("0800", 160, Hard).explainer("4.2"),
    on(XyzWing, "XYZ-Wing", 2, Wings).hodoku("0801", 180, Hard).explainer("4.4"),
    unique(UniqueRectangle(One), "Unique Rectangle Type 1", 2)
        .hodoku("0600", 100, Hard)
        .explainer("4.5"),
    unique(UniqueRectangle(Two), "Unique Rectangle Type 2", 2)
        .hodoku("0601", 100, Hard)
        .explainer("4.5"),
    unique(UniqueRectangle(Three), "Unique Rectangle Type 3", 2)
        .hodoku("0602", 100, Hard)
        .explainer("4.6–4.8"),
    unique(UniqueRectangle(Four), "Unique Rectangle Type 4", 2)
        .hodoku("0603", 100, Hard)
        .explainer("4.5"),
    unique(UniqueRectangle(Five), "Unique Rectangle Type 5", 2).hodoku("0604", 100, Hard),
    unique(UniqueRectangle(Six), "Unique Rectangle Type 6", 2).hodoku("0605", 100, Hard),
    unique(HiddenRectangle, "Hidden Rectangle", 2).hodoku("0606", 100, Hard),
    unique(AvoidableRectangle(OneOrTwo::One), "Avoidable Rectangle Type 1", 2)
        .hodoku("0607", 100, Hard),
    unique(AvoidableRectangle(OneOrTwo::Two), "Avoidable Rectangle Type 2", 2)
        .hodoku("0608", 100, Hard),
    unique(UniqueLoop(DeadlyType::One), "Unique Loop Type 1", 2).explainer("4.6–5.3"),
    unique(UniqueLoop(DeadlyType::Two), "Unique Loop Type 2", 2).explainer("4.6–5.3"),
    unique(UniqueLoop(DeadlyType::Three), "Unique Loop Type 3", 2).explainer("4.6–5.3"),
    unique(UniqueLoop(DeadlyType::Four), "Unique Loop Type 4", 2).explainer("4.6–5.3"),
    unique(Bug(DeadlyType::Two), "BUG Type 2", 2).explainer("5.7"),
    unique(Bug(DeadlyType::Three), "BUG Type 3", 2).explainer("5.8–6.0"),
    unique(Bug(DeadlyType::Four), "BUG Type 4", 2).explainer("5.7"),
    on(fish(XWing, Basic, Finned), "Finned X-Wing", 3, Colours).hodoku("0310", 130, Hard),
    on(fish(XWing, Basic, Sashimi), "Sashimi X-Wing", 3, Colours).hodoku("0320", 150, Hard),
    on(fish(Swordfish, Basic, Finned), "Finned Swordfish", 3, Colours).hodoku("0311", 200, Unfair),
    on(fish(Swordfish, Basic, Sashimi), "Sashimi Swordfish", 3, Colours)
        .hodoku("0321", 240, Unfair),
    on(fish(Jellyfish, Basic, Finned), "Finned Jellyfish", 3, Colours).hodoku("0312", 250, Unfair),
    on(fish(Jellyfish, Basic, Sashimi), "Sashimi Jellyfish", 3, Colours)
        .hodoku("0322", 260, Unfair),
    on(SueDeCoq, "Sue de Coq", 3, Colours).hodoku("1101", 250, Unfair),
    on(LargeWing(Wxyz), "WXYZ-Wing", 3, Colours),
    on(SimpleColoursTrap, "Simple Colours Trap", 3, Colours).hodoku("0500", 150, Hard),
    on(SimpleColoursWrap, "Simple Colours Wrap", 3, Colours).hodoku("0501", 150, Hard),
    on(MultiColours(OneOrTwo::One), "Multi-Colours 1", 3, Colours).hodoku("0502", 200, Hard),
    on(MultiColours(OneOrTwo::Two), "Multi-Colours 2", 3, Colours).hodoku("0503", 200, Hard),
    on(XChain, "X-Chain", 3, Chains).hodoku("0701", 260, Unfair).explainer("6.6–7.0"),
    on(XyChain, "XY-Chain", 3, Chains).hodoku("0702", 260, Unfair).explainer("6.5–7.0"),
    on(ContinuousNiceLoop { grouped: false }, "Continuous Nice Loop", 3, Chains)
        .hodoku("0706", 280, Unfair)
        .explainer("7.0–8.0"),
    on(DiscontinuousNiceLoop { grouped: false }, "Discontinuous Nice Loop", 3, Chains)
        .hodoku("0707", 280, Unfair)
        .explainer("7.0–8.0"),
    on(Aic { grouped: false }, "AIC", 3, Chains).hodoku("0708", 280, Unfair).explainer("7.0–8.0"),
    on(ContinuousNiceLoop { grouped: true }, "Grouped Continuous Nice Loop", 3, Chains)
        .hodoku("0709", 300, Unfair),
    on(DiscontinuousNiceLoop { grouped: true }, "Grouped Discontinuous Nice Loop", 3, Chains)
        .hodoku("0710", 300, Unfair),
    on(Aic { grouped: true }, "Grouped AIC", 3, Chains).hodoku("0711", 300, Unfair),
    on(AlsXz, "ALS-XZ", 3, Chains).hodoku("0901", 300, Unfair),
    on(AlsXyWing, "ALS-XY-Wing", 3, Chains).hodoku("0902", 320, Unfair),
    on(AlsXyChain, "ALS-XY-Chain", 3, Chains).hodoku("0903", 340, Unfair),
    // Franken fish are off by default: they take a quarter of the time and were needed 9 times in
    // 1,570 mixed puzzles.
    on(CellForcingChain, "Cell Forcing Chain", 4, Last)
        .hodoku_score(500, Extreme)
        .explainer("8.0–8.5"),
    on(HouseForcingChain, "House Forcing Chain", 4, Last)
        .hodoku_score(500, Extreme)
        .explainer("8.0–8.5"),
    on(ForcingNet, "Forcing Net", 5, Last).hodoku_score(700, Extreme).explainer("8.5 and more"),
    on(SkLoop, "SK-Loop", 6, Last),
    on(JuniorExocet, "Junior Exocet", 6, Last),
    on(DoubleExocet, "Double Exocet", 6, Last),
    on(ExocetMirror, "Exocet Mirror", 6, Last),
    on(ExocetLink, "Exocet Link", 6, Last),
    on(Tridagon, "Tridagon", 6, Last),
    on(NestedForcingNet, "Nested Forcing Net", 6, Last).explainer("9.5 and more"),
    off(fish(XWing, Franken, Fins::None), "Franken X-Wing", 3, Last).hodoku("0330", 300, Unfair),
    off(fish(XWing, Franken, Finned), "Finned Franken X-Wing", 3, Last).hodoku("0340", 390, Unfair),
    off(fish(Swordfish, Franken, Fins::None), "Franken Swordfish", 3, Last)
        .hodoku("0331", 350, Unfair),
    off(fish(Swordfish, Franken, Finned), "Finned Franken Swordfish", 3, Last)
        .hodoku("0341", 410, Unfair),
    off(fish(Jellyfish, Franken, Fins::None), "Franken Jellyfish", 3, Last)
        .hodoku("0332", 370, Unfair),
    off(fish(Jellyfish, Franken, Finned), "Finned Franken Jellyfish", 3, Last)
        .hodoku("0342", 430, Unfair),
    off(fish(Squirmbag, Franken, Fins::None), "Franken Squirmbag", 4, Last)
        .hodoku("0333", 470, Extreme),
    off(fish(Squirmbag, Franken, Finned), "Finned Franken Squirmbag", 4, Last)
        .hodoku("0343", 470, Extreme),
    off(fish(Whale, Franken, Fins::None), "Franken Whale", 4, Last).hodoku("0334", 470, Extreme),
    off(fish(Whale, Franken, Finned), "Finned Franken Whale", 4, Last).hodoku("0344", 470, Extreme),
    off(fish(Leviathan, Franken, Fins::None), "Franken Leviathan", 4, Last)
        .hodoku("0335", 470, Extreme),
    off(fish(Leviathan, Franken, Finned), "Finned Franken Leviathan", 4, Last)
        .hodoku("0345", 470, Extreme),
    off(fish(XWing, Mutant, Fins::None), "Mutant X-Wing", 4, Last).hodoku("0350", 450, Extreme),
    off(fish(XWing, Mutant, Finned), "Finned Mutant X-Wing", 4, Last).hodoku("0360", 450, Extreme),
    off(fish(Swordfish, Mutant, Fins::None), "Mutant Swordfish", 4, Last)
        .hodoku("0351", 450, Extreme),
    off(fish(Swordfish, Mutant, Finned), "Finned Mutant Swordfish", 4, Last)
        .hodoku("0361", 450, Extreme),
    off(fish(Jellyfish, Mutant, Fins::None), "Mutant Jellyfish", 4, Last)
        .hodoku("0352", 450, Extreme),
    off(fish(Jellyfish, Mutant, Finned), "Finned Mutant Jellyfish", 4, Last)
        .hodoku("0362", 450, Extreme),
    off(fish(Squirmbag, Mutant, Fins::None), "Mutant Squirmbag", 4, Last)
        .hodoku("0353", 470, Extreme),
    off(fish(Squirmbag, Mutant, Finned), "Finned Mutant Squirmbag", 4, Last)
        .hodoku("0363", 470, Extreme),
    off(fish(Whale, Mutant, Fins::None), "Mutant Whale", 4, Last).hodoku("0354", 470, Extreme),
    off(fish(Whale, Mutant, Finned), "Finned Mutant Whale", 4, Last).hodoku("0364", 470, Extreme),
    off(fish(Leviathan, Mutant, Fins::None), "Mutant Leviathan", 4, Last)
        .hodoku("0355", 470, Extreme),
    off(fish(Leviathan, Mutant, Finned), "Finned Mutant Leviathan", 4, Last)
        .hodoku("0365", 470, Extreme),
    off(fish(Squirmbag, Basic, Fins::None), "Squirmbag", 4, Last).hodoku("0303", 470, Extreme),
    off(fish(Squirmbag, Basic, Finned), "Finned Squirmbag", 4, Last).hodoku("0313", 470, Extreme),
    off(fish(Squirmbag, Basic, Sashimi), "Sashimi Squirmbag", 4, Last).hodoku("0323", 470, Extreme),
    off(fish(Whale, Basic, Fins::None), "Whale", 4, Last).hodoku("0304", 470, Extreme),
    off(fish(Whale, Basic, Finned), "Finned Whale", 4, Last).hodoku("0314", 470, Extreme),
    off(fish(Whale, Basic, Sashimi), "Sashimi Whale", 4, Last).hodoku("0324", 470, Extreme),
    off(fish(Leviathan, Basic, Fins::None), "Leviathan", 4, Last).hodoku("0305", 470, Extreme),
    off(fish(Leviathan, Basic, Finned), "Finned Leviathan", 4, Last).hodoku("0315", 470, Extreme),
    off(fish(Leviathan, Basic, Sashimi), "Sashimi Leviathan", 4, Last).hodoku("0325", 470, Extreme),
    off(siamese(XWing, Basic, Finned), "Siamese Finned X-Wing", 3, Colours)
        .hodoku("03101", 130, Hard),
    off(siamese(XWing, Basic, Sashimi), "Siamese Sashimi X-Wing", 3, Colours)
        .hodoku("03201", 150, Hard),
    off(siamese(Swordfish, Basic, Finned), "Siamese Finned Swordfish", 3, Colours)
        .hodoku("03111", 200, Unfair),
    off(siamese(Swordfish, Basic, Sashimi), "Siamese Sashimi Swordfish", 3, Colours)
        .hodoku("03211", 240, Unfair),
    off(siamese(Jellyfish, Basic, Finned), "Siamese Finned Jellyfish", 3, Colours)
        .hodoku("03121", 250, Unfair),
    off(siamese(Jellyfish, Basic, Sashimi), "Siamese Sashimi Jellyfish", 3, Colours)
        .hodoku("03221", 260, Unfair),
    off(siamese(XWing, Franken, Finned), "Siamese Finned Franken X-Wing", 3, Last)
        .hodoku("03401", 390, Unfair),
    off(siamese(Swordfish, Franken, Finned), "Siamese Finned Franken Swordfish", 3, Last)
        .hodoku("03411", 410, Unfair),
    off(siamese(Jellyfish, Franken, Finned), "Siamese Finned Franken Jellyfish", 3, Last)
        .hodoku("03421", 430, Unfair),
    off(siamese(Squirmbag, Franken, Finned), "Siamese Finned Franken Squirmbag", 4, Last)
        .hodoku("03431", 470, Extreme),
    off(siamese(Whale, Franken, Finned), "Siamese Finned Franken Whale", 4, Last)
        .hodoku("03441", 470, Extreme),
    off(siamese(Leviathan, Franken, Finned), "Siamese Finned Franken Leviathan", 4, Last)
        .hodoku("03451", 470, Extreme),
    off(siamese(XWing, Mutant, Finned), "Siamese Finned Mutant X-Wing", 4, Last)
        .hodoku("03601", 450, Extreme),
    off(siamese(Swordfish, Mutant, Finned), "Siamese Finned Mutant Swordfish", 4, Last)
        .hodoku("03611", 450, Extreme),
    off(siamese(Jellyfish, Mutant, Finned), "Siamese Finned Mutant Jellyfish", 4, Last)
        .hodoku("03621", 450, Extreme),
    off(siamese(Squirmbag, Mutant, Finned), "Siamese Finned Mutant Squirmbag", 4, Last)
        .hodoku("03631", 470, Extreme),
    off(siamese(Whale, Mutant, Finned), "Siamese Finned Mutant Whale", 4, Last)
        .hodoku("03641", 470, Extreme),
    off(siamese(Leviathan, Mutant, Finned), "Siamese Finned Mutant Leviathan", 4, Last)
        .hodoku("03651", 470, Extreme),
    off(siamese(Squirmbag, Basic, Finned), "Siamese Finned Squirmbag", 4, Last)
        .hodoku("03131", 470, Extreme),
    off(siamese(Squirmbag, Basic, Sashimi), "Siamese Sashimi Squirmbag", 4, Last)
        .hodoku("03231", 470, Extreme),
    off(siamese(Whale, Basic, Finned), "Siamese Finned Whale", 4, Last)
        .hodoku("03141", 470, Extreme),
    off(siamese(Whale, Basic, Sashimi), "Siamese Sashimi Whale", 4, Last)
        .hodoku("03241", 470, Extreme),
    off(siamese(Leviathan, Basic, Finned), "Siamese Finned Leviathan", 4, Last)
        .hodoku("03151", 470, Extreme),
    off(siamese(Leviathan, Basic, Sashimi), "Siamese Sashimi Leviathan", 4, Last)
        .hodoku("03251", 470, Extreme),
    off(DirectPointing, "Direct Pointing", 0, Subsets).explainer("1.7"),
    off(DirectClaiming, "Direct Claiming", 0, Subsets).explainer("1.9"),
    off(DirectHiddenPair, "Direct Hidden Pair", 0, Subsets).explainer("2.0"),
    off(DirectHiddenTriple, "Direct Hidden Triple", 0, Subsets).explainer("2.5"),
    off(LargeWing(Vwxyz), "VWXYZ-Wing", 3, Chains),
    off(LargeWing(Uvwxyz), "UVWXYZ-Wing", 3, Chains),
    off(LargeWing(Tuvwxyz), "TUVWXYZ-Wing", 3, Chains),
    off(DualTwoStringKite, "Dual 2-String Kite", 2, Wings).hodoku("0404", 150, Hard),
    off(DualEmptyRectangle, "Dual Empty Rectangle", 2, Wings).hodoku("0405", 120, Hard),
    off(Medusa, "3D Medusa", 3, Colours),
    off(DeathBlossom, "Death Blossom", 4, Chains).hodoku("0904", 360, Unfair),
    off(AlignedPairExclusion, "Aligned Pair Exclusion", 4, Chains).explainer("6.2"),
    off(AlignedTripleExclusion, "Aligned Triple Exclusion", 4, Last).explainer("7.5"),
    off(BivalueOddagon, "Bivalue Oddagon", 4, Last),
    off(MultiSectorLockedSets, "Multi-Sector Locked Sets", 5, Last),
    off(KrakenFish(OneOrTwo::One), "Kraken Fish Type 1", 4, Last).hodoku_score(500, Extreme),
    off(KrakenFish(OneOrTwo::Two), "Kraken Fish Type 2", 4, Last).hodoku_score(500, Extreme),
    off(TemplateSet, "Template Set", 5, Last).hodoku("1201", 10_000, Extreme),
    off(TemplateDelete, "Template Delete", 5, Last).hodoku("1202", 10_000, Extreme),
];

/// The row of a technique.
pub(super) fn row_of(technique: Technique) -> &'static Row {
    static SORTED: LazyLock<Vec<&Row>> = LazyLock::new(|| {
        let mut rows: Vec<&Row> = ROWS.iter().collect();
        rows.sort_unstable_by_key(|row| row.technique);
        rows
    });
    let place = SORTED.binary_search_by_key(&technique, |row| row.technique);
    SORTED[place.unwrap_or_else(|_| panic!("{technique:?} has no row"))]
}

/// A technique of the default order.
const fn on(technique: Technique, name: &'static str, tier: u8, chapter: Chapter) -> Row {
    Row {
        technique,
        name,
        tier,
        chapter,
        is_default: true,
        needs_uniqueness: false,
        hodoku_code: None,
        hodoku_score: None,
        explainer_rating: None,
    }
}

/// A technique that is tried only on request.
const fn off(technique: Technique, name: &'static str, tier: u8, chapter: Chapter) -> Row {
    Row { is_default: false, ..on(technique, name, tier, chapter) }
}

/// A technique of the default order that assumes a unique solution.
const fn unique(technique: Technique, name: &'static str, tier: u8) -> Row {
    Row { needs_uniqueness: true, ..on(technique, name, tier, Unique) }
}

const fn fish(size: FishSize, shape: Shape, fins: Fins) -> Technique {
    Fish(super::Fish::new(size, shape, fins).expect("this fish exists"))
}

const fn siamese(size: FishSize, shape: Shape, fins: Fins) -> Technique {
    let one = super::Fish::new(size, shape, fins).expect("this fish exists");
    Fish(one.siamese().expect("two such fish can be siamese"))
}

impl Row {
    const fn hodoku(self, code: &'static str, score: u32, level: HodokuLevel) -> Row {
        Row { hodoku_code: Some(code), ..self.hodoku_score(score, level) }
    }

    /// Sets the HoDoKu score of a technique without a code in the library of test cases.
    const fn hodoku_score(self, score: u32, level: HodokuLevel) -> Row {
        Row { hodoku_score: Some((score, level)), ..self }
    }

    const fn explainer(self, rating: &'static str) -> Row {
        Row { explainer_rating: Some(rating), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// All techniques of the same variant, with or without a row. A new variant does not compile
    /// without an arm.
    fn kin(technique: Technique) -> Vec<Technique> {
        let subsets = [Pair, Triple, Quadruple];
        let four = [DeadlyType::One, DeadlyType::Two, DeadlyType::Three, DeadlyType::Four];
        let two = [OneOrTwo::One, OneOrTwo::Two];
        match technique {
            NakedSubset(_) => subsets.map(NakedSubset).to_vec(),
            HiddenSubset(_) => subsets.map(HiddenSubset).to_vec(),
            Fish(_) => all_fish(),
            Bug(_) => four.map(Bug).to_vec(),
            LargeWing(_) => [Wxyz, Vwxyz, Uvwxyz, Tuvwxyz].map(LargeWing).to_vec(),
            UniqueRectangle(_) => {
                use RectangleType::*;
                [One, Two, Three, Four, Five, Six].map(UniqueRectangle).to_vec()
            }
            AvoidableRectangle(_) => two.map(AvoidableRectangle).to_vec(),
            UniqueLoop(_) => four.map(UniqueLoop).to_vec(),
            MultiColours(_) => two.map(MultiColours).to_vec(),
            KrakenFish(_) => two.map(KrakenFish).to_vec(),
            ContinuousNiceLoop { .. } => {
                [false, true].map(|grouped| ContinuousNiceLoop { grouped }).to_vec()
            }
            DiscontinuousNiceLoop { .. } => {
                [false, true].map(|grouped| DiscontinuousNiceLoop { grouped }).to_vec()
            }
            Aic { .. } => [false, true].map(|grouped| Aic { grouped }).to_vec(),
            FullHouse | NakedSingle | HiddenSingle | DirectPointing | DirectClaiming
            | DirectHiddenPair => {
                vec![technique]
            }
            DirectHiddenTriple | LockedPair | LockedTriple | Pointing | Claiming | RemotePair => {
                vec![technique]
            }
            Skyscraper | TwoStringKite | DualTwoStringKite | TurbotFish | EmptyRectangle => {
                vec![technique]
            }
            DualEmptyRectangle | WWing | XyWing | XyzWing | HiddenRectangle | SueDeCoq => {
                vec![technique]
            }
            SimpleColoursTrap | SimpleColoursWrap | Medusa | XChain | XyChain => vec![technique],
            AlsXz | AlsXyWing | AlsXyChain | DeathBlossom | AlignedPairExclusion => vec![technique],
            TemplateSet | TemplateDelete | CellForcingChain | HouseForcingChain => vec![technique],
            ForcingNet | NestedForcingNet | AlignedTripleExclusion => vec![technique],
            MultiSectorLockedSets | SkLoop | Tridagon | BivalueOddagon => vec![technique],
            Rule(_) => RuleKind::ALL.map(Rule).to_vec(),
            InniesAndOuties | CageOverlap | CommonPeer | LawOfLeftovers => vec![technique],
            JuniorExocet | DoubleExocet | ExocetMirror | ExocetLink => vec![technique],
        }
    }

    fn all_fish() -> Vec<Technique> {
        let mut all = Vec::new();
        for size in [XWing, Swordfish, Jellyfish, Squirmbag, Whale, Leviathan] {
            for shape in [Basic, Franken, Mutant] {
                for fins in [Fins::None, Finned, Sashimi] {
                    let one = super::super::Fish::new(size, shape, fins);
                    all.extend(
                        one.into_iter().chain(one.and_then(super::super::Fish::siamese)).map(Fish),
                    );
                }
            }
        }
        all
    }

    #[test]
    fn every_technique_has_one_row() {
        let listed: HashSet<Technique> = ROWS.iter().map(|row| row.technique).collect();
        assert_eq!(listed.len(), ROWS.len(), "a technique has two rows");
        let written_down: HashSet<Technique> =
            ROWS.iter().flat_map(|row| kin(row.technique)).collect();
        assert_eq!(written_down, listed);
        assert!(ROWS.iter().all(|row| std::ptr::eq(row, row_of(row.technique))));
    }

    #[test]
    fn default_order_comes_first_and_is_sorted_by_tier() {
        assert!(ROWS.is_sorted_by_key(|row| !row.is_default));
        let tiers: Vec<u8> = ROWS.iter().filter(|row| row.is_default).map(|row| row.tier).collect();
        assert!(tiers.is_sorted(), "{tiers:?}");
    }

    #[test]
    fn hodoku_techniques_have_a_score_and_a_unique_code() {
        let codes: Vec<&str> = ROWS.iter().filter_map(|row| row.hodoku_code).collect();
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), codes.len());
        assert!(ROWS.iter().all(|row| row.hodoku_code.is_none() || row.hodoku_score.is_some()));
    }

    /// The HoDoKu codes of fish encode their variant, so this test detects typos in their rows.
    #[test]
    fn names_and_codes_of_fish_match_their_variant() {
        for row in ROWS {
            let Fish(fish) = row.technique else { continue };
            let form = match (fish.shape(), fish.fins()) {
                (Basic, Fins::None) => (0, ""),
                (Basic, Finned) => (1, "Finned "),
                (Basic, Sashimi) => (2, "Sashimi "),
                (Franken, Fins::None) => (3, "Franken "),
                (Franken, _) => (4, "Finned Franken "),
                (Mutant, Fins::None) => (5, "Mutant "),
                (Mutant, _) => (6, "Finned Mutant "),
            };
            let size = ["X-Wing", "Swordfish", "Jellyfish", "Squirmbag", "Whale", "Leviathan"]
                [fish.size() as usize];
            let (before, after) = if fish.is_siamese() { ("Siamese ", "1") } else { ("", "") };
            assert_eq!(row.name, format!("{before}{}{size}", form.1));
            let code = format!("03{}{}{after}", form.0, fish.size() as usize);
            assert_eq!(row.hodoku_code, Some(code.as_str()), "{}", row.name);
        }
    }
}
