//! Tests that need `../shared/data`: public puzzle lists and the results of other programs.
//!
//! The data is not part of this repository. Without it, these tests are ignored, or fail with
//! `NINEFOLD_REQUIRE=shared`.

mod agreement;
#[path = "../common/amount.rs"]
mod amount;
mod consistency;
mod dupree;
mod lists;
mod ratings;
#[path = "../common/sound_path.rs"]
mod sound_path;
mod soundness;

use ninefold_test_support as support;

fn main() {
    support::run(support::tests![
        [SharedData]
        agreement::paths_agree_with_hodoku,
        agreement::levels_agree_with_hodoku,
        agreement::what_rileys_rules_solve_we_solve_with_the_same,
        consistency::levels_match_the_other_program,
        dupree::scores_match_the_original_program,
        lists::puzzles_with_one_solution,
        lists::puzzles_with_many_solutions,
        lists::puzzles_without_a_solution,
        lists::half_filled_grids_of_9x9,
        lists::half_filled_grids_of_16x16_and_25x25,
        lists::all_half_filled_grids_of_9x9_are_counted_as_the_readme_says,
        lists::named_puzzles,
        lists::invalid_puzzles_are_invalid_in_the_way_their_label_says,
        ratings::explainer_ratings_up_to_9_3_match_two_programs,
        ratings::explainer_ratings_of_the_hardest_puzzles_match_published_ones,
        ratings::hodoku_levels_and_scores_match_as_often_as_measured,
        ratings::whip_ratings_match_berthiers_program,
        soundness::lists_of_all_difficulties_are_explained_without_a_wrong_step,
        soundness::small_and_large_grids_are_explained_without_a_wrong_step,
    ]);
}
