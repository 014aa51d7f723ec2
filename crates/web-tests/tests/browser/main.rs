//! Plays on the page as a person does, in a headless Chromium.
//!
//! Without a browser these tests are ignored, or fail under `NINEFOLD_REQUIRE=browser,axe,engine`. Pictures of what was seen lie
//! in `target/screenshots` afterwards.

mod audit;
mod chromium;
mod entry;
mod faults;
mod frames;
mod games;
mod habits;
mod hands;
mod learn;
mod make;
mod player;
mod site;
mod today;
mod watch;

use ninefold_test_support::{self as support, Resource};
use player::{ALT, CONTROL, Player, SHIFT};
use serde_json::json;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Tests that play, each in a runtime of its own.
macro_rules! plays {
    ([$($resource:ident),+] $($play:path),+ $(,)?) => {{
        let needs = [$(Resource::$resource),+];
        [$(support::test(stringify!($play), &needs, || in_a_runtime($play()))),+]
    }};
}

fn main() {
    let audits = plays![[Chromium, Axe] audit::the_accessibility_audit_finds_nothing_serious];
    let plays = plays![
        [Chromium]
        a_puzzle_is_played_to_the_end_by_keyboard,
        a_wrong_digit_is_checked_and_cleared,
        a_puzzle_from_a_book_is_typed_and_solved,
        solve_names_the_entry_that_makes_it_impossible,
        two_of_several_solutions_are_shown,
        a_hint_comes_in_three_stages_and_is_followed,
        an_explanation_is_walked_forwards_and_backwards,
        marks_colours_undo_and_redo_are_kept_in_the_link,
        the_game_goes_on_after_a_reload_and_without_the_server,
        the_page_is_good_on_a_phone_in_the_dark_and_on_paper,
        sixteen_by_sixteen_is_made_and_played,
        entry::digits_are_entered_in_every_way_and_settings_are_kept,
        entry::any_format_can_be_pasted,
        faults::a_reload_in_the_next_moment_loses_nothing,
        faults::other_games_overwrite_nothing_and_back_brings_the_game_back,
        faults::a_hint_is_announced_to_a_screen_reader,
        faults::nothing_is_played_under_pause_and_t_goes_on,
        faults::watch_left_for_play_stops_and_can_go_on,
        faults::corner_marks_stay_beside_automatic_candidates,
        faults::a_fast_drag_skips_no_cell,
        faults::an_error_and_its_way_on_are_two_sentences,
        faults::going_back_before_a_mistake_mends_a_wrong_mark,
        faults::a_full_grid_that_is_wrong_says_so,
        faults::clues_can_be_typed_on_after_solve,
        faults::watch_without_a_server_says_so,
        faults::a_swatch_shows_what_its_label_says,
        faults::a_medium_puzzle_of_16_needs_no_forcing_net,
        games::a_long_game_with_reloads_links_and_ways_back_loses_nothing,
        games::games_are_exported_and_imported_as_a_file,
        habits::the_page_speaks_the_language_of_the_browser,
        habits::continue_opens_the_game_that_it_shows,
        habits::a_page_left_open_overnight_shows_the_new_day,
        habits::the_help_sheet_opens_on_every_view,
        habits::today_shows_the_school_whatever_was_opened_first,
        habits::a_copy_is_confirmed_in_the_panel_where_it_was_made,
        habits::a_removed_game_stays_away_or_is_brought_back,
        habits::a_hint_alone_is_reason_enough_to_keep_a_game,
        habits::a_view_that_is_asked_for_early_comes,
        habits::a_status_of_one_line_is_as_tall_for_every_game,
        habits::the_step_that_is_explained_is_seen_in_the_list,
        hands::keys_work_at_once_and_select_what_players_expect,
        hands::marks_colours_and_keys_show_what_is_there,
        hands::clues_are_typed_edited_and_pasted,
        hands::checkpoints_and_moves_lead_back,
        hands::the_steps_of_an_explanation_are_walked_by_arrows_and_clicks,
        hands::the_page_speaks_german_and_spanish,
        today::todays_puzzle_is_solved_counted_and_the_same_for_everybody,
        today::every_screen_shows_all_of_the_game_without_scrolling,
        frames::the_first_frame_after_a_key_shows_all_that_it_changes,
        frames::every_key_is_painted_and_says_what_it_costs,
        frames::a_slow_phone_says_when_it_can_play,
        learn::lessons_are_found_in_the_list_from_a_hint_and_by_their_address,
        learn::an_exercise_is_solved_and_counted,
        learn::links_stay_on_the_board,
        make::a_puzzle_is_rated_others_are_made_and_a_batch_becomes_a_table,
        make::a_new_puzzle_needs_the_technique_that_was_wished_for,
        watch::systems_are_watched_side_by_side_and_stopped,
        watch::a_show_that_is_stopped_ends_on_the_server_too,
    ];
    let sites = plays![[Chromium, Engine] site::everything_works_from_plain_files];
    support::run(Vec::from_iter(audits.into_iter().chain(plays).chain(sites)));
}

fn in_a_runtime(play: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts")
        .block_on(play);
}

fn address(puzzle: &str) -> String {
    format!("/#p={puzzle}")
}

async fn a_puzzle_is_played_to_the_end_by_keyboard() {
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
    player.until_told("Solved!").await;
    player.picture("solved").await;
    player.leave().await;
}

async fn a_wrong_digit_is_checked_and_cleared() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["1"]).await;
    player.press("check").await;
    player.until_told("1 digit is wrong.").await;
    assert_eq!(
        player.see("document.querySelector('[data-cell=\"2\"]').ariaInvalid").await,
        json!("true")
    );
    player.picture("wrong").await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["Backspace", "4", "k"]).await;
    player.until_told("Everything is right so far").await;
    player.leave().await;
}

async fn a_puzzle_from_a_book_is_typed_and_solved() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("blank").await;
    player.press("blank-3x3").await;
    player.write_grid(PUZZLE).await;
    player.press("solve").await;
    player.until_told("Here is the solution").await;
    assert_eq!(player.board().await, SOLUTION);
    assert_eq!(player.see("document.querySelectorAll('.clue').length").await, json!(30));
    player.leave().await;
}

async fn solve_names_the_entry_that_makes_it_impossible() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"3\"]").await;
    player.keys(&["2"]).await;
    player.press("solve").await;
    player.until_told("the 2 in r1c4 is wrong").await;
    player.leave().await;
}

async fn two_of_several_solutions_are_shown() {
    let player = Player::open(&address(&".".repeat(16))).await;
    player.press("solve").await;
    player.until_told("more than one solution").await;
    let first = player.board().await;
    player.press("other").await;
    assert_ne!(player.board().await, first);
    player.picture("two").await;
    player.leave().await;
}

async fn a_hint_comes_in_three_stages_and_is_followed() {
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

async fn an_explanation_is_walked_forwards_and_backwards() {
    let puzzle =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";
    let player = Player::open(&address(puzzle)).await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    // Walk to the first step with arrows.
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

async fn marks_colours_undo_and_redo_are_kept_in_the_link() {
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

async fn the_game_goes_on_after_a_reload_and_without_the_server() {
    let player = Player::open(&address(PUZZLE)).await;
    player.until("navigator.serviceWorker.controller !== null").await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    player.until("location.hash.includes('e=..4')").await;
    player.stop_server();
    player.go("/").await;
    player.press("continue").await;
    assert_eq!(&player.board().await[2..3], "4");
    assert_eq!(player.see("document.getElementById('undo').disabled").await, json!(false));
    player.press("hint").await;
    player.until_told("The server does not answer").await;
    player.leave().await;
}

async fn the_page_is_good_on_a_phone_in_the_dark_and_on_paper() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_phone().await;
    let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    assert_eq!(player.see(fits).await, json!(true), "nothing hangs over the edge");
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

async fn sixteen_by_sixteen_is_made_and_played() {
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
