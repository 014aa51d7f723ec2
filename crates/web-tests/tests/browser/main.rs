//! Browser tests: a player uses the page in a headless Chromium.
//!
//! If no browser is installed, these tests are ignored. If `NINEFOLD_REQUIRE=browser,axe,engine` is
//! set, they fail instead. They write screenshots to `target/screenshots`.

mod audit;
mod chromium;
mod comfort;
mod desk;
mod entry;
mod explain;
mod faults;
mod frames;
mod games;
mod habits;
mod hands;
mod learn;
mod make;
mod mend;
mod photo;
mod player;
mod reach;
mod site;
mod states;
mod today;
mod train;
mod variants;
mod watch;

use ninefold_test_support::{self as support, Resource};
use player::{ALT, CONTROL, Player, SHIFT};
use serde_json::json;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Tests from functions, each in its own runtime.
macro_rules! tests {
    ([$($resource:ident),+] $($test:path),+ $(,)?) => {{
        let needs = [$(Resource::$resource),+];
        [$(support::test(stringify!($test), &needs, || in_a_runtime($test()))),+]
    }};
}

fn main() {
    let audits = tests![[Chromium, Axe] audit::accessibility_audit_finds_nothing_serious];
    let browser = tests![
        [Chromium]
        solves_a_puzzle_by_keyboard,
        check_finds_a_wrong_digit,
        solves_a_typed_puzzle,
        solve_names_the_wrong_entry,
        shows_two_of_several_solutions,
        a_hint_has_three_stages_and_can_be_applied,
        explanation_steps_forwards_and_backwards,
        the_link_contains_marks_colours_and_entries,
        the_game_continues_after_a_reload_and_without_the_server,
        renders_on_phones_in_dark_mode_and_in_print,
        generates_and_plays_16x16,
        entry::supports_all_ways_of_entering_digits_and_keeps_settings,
        entry::pastes_every_format,
        faults::reloading_right_after_a_move_loses_nothing,
        faults::other_games_do_not_overwrite_a_game_and_back_returns_to_it,
        faults::announces_hints_to_screen_readers,
        faults::pause_blocks_input_and_t_resumes,
        faults::leaving_watch_pauses_it,
        faults::keeps_corner_marks_beside_automatic_candidates,
        faults::a_fast_drag_selects_every_cell,
        faults::shows_an_error_and_its_hint_as_two_sentences,
        faults::going_back_before_a_mistake_fixes_a_wrong_mark,
        faults::reports_a_full_but_wrong_grid,
        faults::clues_can_be_edited_after_solve,
        faults::watch_reports_a_missing_server,
        faults::colour_swatches_match_their_labels,
        faults::medium_16x16_puzzles_need_no_forcing_nets,
        games::a_long_game_with_reloads_links_and_back_loses_nothing,
        games::exports_and_imports_games,
        habits::uses_the_language_of_the_browser,
        habits::continue_opens_the_displayed_game,
        habits::a_page_left_open_overnight_shows_the_new_puzzles,
        habits::help_opens_on_every_view,
        habits::today_shows_the_next_lesson,
        habits::confirms_copying_in_the_share_panel,
        habits::a_deleted_game_can_be_restored,
        habits::keeps_a_game_after_a_hint,
        habits::a_view_opened_before_it_is_loaded_appears,
        habits::the_status_line_has_a_constant_height,
        habits::scrolls_to_the_current_step_in_the_list,
        hands::keys_work_without_a_click,
        hands::shows_marks_colours_and_remaining_digits,
        hands::clues_can_be_typed_edited_and_pasted,
        hands::checkpoints_and_the_move_list_go_back,
        hands::arrows_and_clicks_navigate_an_explanation,
        hands::supports_german_and_spanish,
        today::daily_puzzles_are_counted_and_the_same_for_everyone,
        today::the_game_fits_on_every_screen,
        today::nothing_moves_on_the_first_visit,
        frames::a_key_takes_effect_in_one_frame,
        frames::measures_the_cost_of_each_key,
        frames::measures_the_first_visit_on_a_slow_phone,
        learn::lessons_open_from_the_list_a_hint_and_an_address,
        learn::exercises_are_graded_and_counted,
        learn::arrows_stay_on_the_board,
        make::rates_and_generates_puzzles_and_lists_a_batch,
        make::a_new_puzzle_needs_the_requested_technique,
        mend::school_accepts_every_right_single,
        mend::exercises_work_with_the_keyboard,
        mend::lessons_open_on_the_position,
        mend::colour_keys_have_their_colours_and_move_nothing,
        mend::a_solved_game_shares_its_puzzle,
        mend::warns_of_links_that_only_work_here,
        mend::levels_are_named_after_what_they_need,
        mend::school_and_ratings_speak_german_and_spanish,
        mend::watch_reports_what_solved_the_puzzle,
        mend::reports_puzzles_without_one_solution,
        mend::reports_a_broken_link,
        mend::opens_links_of_other_sites_and_keeps_every_pasted_puzzle,
        mend::limits_of_the_server_are_said_in_plain_words,
        mend::two_windows_share_a_game,
        mend::enter_takes_a_hint,
        mend::the_board_fills_an_upright_tablet,
        mend::labels_do_not_overlap_at_double_zoom,
        mend::large_grids_show_all_marks,
        mend::made_puzzles_can_be_copied_and_printed_without_the_answer,
        mend::marks_look_like_those_of_hints,
        mend::daily_puzzles_are_there_at_once,
        mend::explanations_fit_on_every_screen,
        mend::exercises_fit_on_every_screen,
        mend::nothing_covers_the_win_card,
        mend::times_have_one_format,
        mend::als_xz_has_an_example_of_its_own,
        mend::kaleidoscope_gives_reasons,
        photo::a_dropped_photo_becomes_a_game,
        photo::a_photo_becomes_the_clues_of_the_desk,
        photo::pictures_can_be_pasted_and_chosen,
        photo::a_doubtful_cell_is_corrected_with_one_tap,
        photo::bad_pictures_get_one_clear_message,
        photo::other_rules_are_recognised,
        explain::a_hidden_single_shows_the_digits_that_block,
        explain::links_are_bundled_and_cover_no_digit,
        explain::a_forcing_net_is_played_case_by_case,
        explain::the_first_visit_guides_and_can_be_skipped,
        explain::the_calendar_opens_past_days_and_streaks_forgive_one,
        explain::a_finished_game_can_be_reviewed,
        comfort::sounds_and_vibration_are_off_at_first,
        comfort::boards_have_themes,
        comfort::keys_can_be_chosen,
        comfort::a_frame_shows_one_puzzle_and_nothing_else,
        comfort::sheets_have_codes_and_no_solutions,
        variants::a_killer_is_made_played_checked_explained_and_shared,
        variants::mistakes_against_rules_are_marked,
        variants::links_with_rules_are_never_opened_without_them,
        variants::every_kind_is_made_and_drawn,
        variants::several_variants_are_made_for_a_file_and_a_sheet,
        variants::the_variant_of_the_day_is_the_same_for_everyone,
        variants::techniques_of_rules_have_lessons_in_three_languages,
        desk::the_desk_opens_when_its_styles_are_the_last_file,
        desk::a_killer_is_set_repaired_shared_and_solved_with_hints,
        desk::the_desk_finds_redundant_clues_and_neighbours_and_keeps_symmetry,
        desk::rotating_moves_rules_and_clues_alike,
        desk::a_finger_draws_cages,
        reach::the_keyboard_reaches_every_control,
        reach::a_phone_reaches_every_control,
        reach::every_tool_of_the_desk_draws_with_keys_and_fingers,
        train::answers_are_judged_rated_and_repeated,
        train::a_valid_deduction_counts_whatever_its_name,
        train::techniques_of_rules_are_trained,
        train::a_storm_counts_right_answers_until_the_time_is_up,
        train::ratings_follow_glicko_2,
        watch::watches_two_systems_side_by_side,
        watch::stopping_watch_stops_it_on_the_server,
    ];
    let sites = tests![
        [Chromium, Engine]
        site::everything_works_from_static_files,
        site::hints_work_offline_before_the_first_hint,
    ];
    let boards = tests![
        [Chromium, SharedData]
        variants::boards_of_other_people_are_opened_drawn_and_solved,
        variants::the_page_and_the_engine_agree_on_rules,
    ];
    support::run(Vec::from_iter(audits.into_iter().chain(browser).chain(boards).chain(sites)));
}

fn in_a_runtime(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts")
        .block_on(test);
}

fn address(puzzle: &str) -> String {
    format!("/#p={puzzle}")
}

async fn solves_a_puzzle_by_keyboard() {
    let player = Player::open(&address(PUZZLE)).await;
    player.picture("start").await;
    player.click(".cell[data-cell=\"0\"]").await;
    for row in 0..9 {
        for column in 0..9 {
            let at = row * 9 + column;
            // A digit on a clue changes nothing: clues are fixed.
            player.key(&SOLUTION[at..=at], 0).await;
            player.keys(&["ArrowRight"]).await;
        }
        player.keys(&["ArrowDown"]).await;
    }
    assert_eq!(player.board().await, SOLUTION);
    player.until_message("Solved!").await;
    player.picture("solved").await;
    player.leave().await;
}

async fn check_finds_a_wrong_digit() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["1"]).await;
    player.press("check").await;
    player.until_message("1 digit is wrong.").await;
    assert_eq!(
        player.see("document.querySelector('[data-cell=\"2\"]').ariaInvalid").await,
        json!("true")
    );
    player.picture("wrong").await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["Backspace", "4", "k"]).await;
    player.until_message("Everything is right so far").await;
    player.leave().await;
}

async fn solves_a_typed_puzzle() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("blank").await;
    player.press("blank-3x3").await;
    player.write_grid(PUZZLE).await;
    player.press("solve").await;
    player.until_message("Here is the solution").await;
    assert_eq!(player.board().await, SOLUTION);
    assert_eq!(player.see("document.querySelectorAll('.clue').length").await, json!(30));
    player.leave().await;
}

async fn solve_names_the_wrong_entry() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"3\"]").await;
    player.keys(&["2"]).await;
    player.press("solve").await;
    player.until_message("the 2 in r1c4 is wrong").await;
    player.leave().await;
}

async fn shows_two_of_several_solutions() {
    let player = Player::open(&address(&".".repeat(16))).await;
    player.press("solve").await;
    player.until_message("more than one solution").await;
    let first = player.board().await;
    player.press("other").await;
    assert_ne!(player.board().await, first);
    player.picture("two").await;
    player.leave().await;
}

async fn a_hint_has_three_stages_and_can_be_applied() {
    let puzzle =
        "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.";
    let player = Player::open(&address(puzzle)).await;
    player.click(".cell[data-cell=\"1\"]").await;
    player.keys(&["h"]).await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;
    player.picture("hint-1").await;
    player.press("hint").await;
    assert_eq!(player.text("#reasontitle").await, "What to look for");
    player.keys(&["h"]).await;
    player.until("document.querySelectorAll('.ink').length > 0").await;
    player.picture("hint-3").await;
    player.press("follow").await;
    player.until("document.getElementById('reason').hidden").await;
    assert_eq!(player.see("document.getElementById('undo').disabled").await, json!(false));
    player.leave().await;
}

async fn explanation_steps_forwards_and_backwards() {
    let puzzle =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";
    let player = Player::open(&address(puzzle)).await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    // Go to the first step with arrows.
    for _ in 0..200 {
        if player.see("document.querySelectorAll('.arrows path').length").await != json!(0) {
            break;
        }
        player.press("walk-on").await;
    }
    assert_ne!(player.see("document.querySelectorAll('.arrows path').length").await, json!(0));
    player.picture("explain").await;
    player.press("walk-last").await;
    player.press("walk-back").await;
    player.press("walk-first").await;
    assert_eq!(player.board().await, puzzle);
    player.press("close").await;
    assert_eq!(player.board().await, puzzle);
    player.leave().await;
}

async fn the_link_contains_marks_colours_and_entries() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.key("1", SHIFT).await;
    player.key("4", CONTROL).await;
    player.key("3", ALT).await;
    player.keys(&["ArrowRight", "6"]).await;
    player.key("z", CONTROL).await;
    assert_eq!(player.board().await, PUZZLE);
    player.key("y", CONTROL).await;
    assert_eq!(&player.board().await[3..4], "6");
    player.until("location.hash.includes('e=...6')").await;
    let link = player.see("location.hash").await.as_str().unwrap().to_string();
    player.see("localStorage.clear()").await;
    player.go(&format!("/{link}")).await;
    assert_eq!(&player.board().await[3..4], "6");
    let label = player.see("document.querySelector('[data-cell=\"2\"]').ariaLabel").await;
    assert_eq!(
        label,
        json!("row 1, column 3, empty, corner marks 1, centre marks 4, coloured yellow")
    );
    player.picture("marks").await;
    player.press("share").await;
    player.until("document.getElementById('share-svg').href.startsWith('data:image/svg')").await;
    assert!(
        player
            .see("document.getElementById('share-text').value")
            .await
            .as_str()
            .unwrap()
            .ends_with(&link)
    );
    player.leave().await;
}

async fn the_game_continues_after_a_reload_and_without_the_server() {
    let player = Player::open(&address(PUZZLE)).await;
    player.until("navigator.serviceWorker.controller !== null").await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    player.until("location.hash.includes('e=..4')").await;
    player.stop_server();
    player.go("/").await;
    player.press("continue").await;
    player.until("document.querySelectorAll('#board .cell').length === 81").await;
    assert_eq!(&player.board().await[2..3], "4");
    assert_eq!(player.see("document.getElementById('undo').disabled").await, json!(false));
    // Without the engine there are no hints, and a message says so.
    player.press("hint").await;
    let hint = "document.getElementById('reason').checkVisibility() \
                || document.getElementById('message').textContent.includes('The server does not answer')";
    player.until(hint).await;
    player.leave().await;
}

async fn renders_on_phones_in_dark_mode_and_in_print() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_phone().await;
    let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    assert_eq!(player.see(fits).await, json!(true), "nothing overflows the screen");
    player.picture("phone").await;
    player.press("mode-corner").await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.click("[data-key=\"7\"]").await;
    assert_eq!(player.text("[data-cell=\"2\"] .corner").await, "7");
    player.media(false, true).await;
    player.picture("dark").await;
    let dark = player.see("getComputedStyle(document.body).backgroundColor").await;
    assert_eq!(dark, json!("rgb(16, 19, 28)"));
    player.media(true, false).await;
    assert_eq!(
        player.see("getComputedStyle(document.querySelector('.desk')).display").await,
        json!("none")
    );
    player.picture("print").await;
    player.leave().await;
}

async fn generates_and_plays_16x16() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("panel-new").await;
    player.see("document.getElementById('new-boxes').value = '4x4'").await;
    player.press("generate").await;
    player.until("document.querySelectorAll('.cell').length === 256").await;
    player.until("document.getElementById('cancel').hidden").await;
    let empty = player.board().await.find('.').expect("a puzzle has empty cells");
    player.click(&format!(".cell[data-cell=\"{empty}\"]")).await;
    player.keys(&["g"]).await;
    assert_eq!(&player.board().await[empty..=empty], "G");
    player.picture("sixteen").await;
    player.leave().await;
}
