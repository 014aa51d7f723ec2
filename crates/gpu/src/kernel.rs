//! The batch solver as a GPU kernel: each thread processes one search node at a time. A node is a
//! board with the candidates of all cells, reached by a sequence of guesses.
//!
//! The propagation rules are those of `ninefold::search::batch`; its `kernel.rs` explains them. The
//! CPU version puts the same cell of many nodes into one vector. Here a thread holds all 81 cells
//! of one node, each as nine bits in its own register, and the 32 threads of a warp execute in
//! lockstep like the lanes of a vector:
//!
//! ```text
//! each thread, until no puzzle is left:
//!     run a few rounds of propagation
//!     a cell has no candidate:             dead end, take the next node
//!     the last round changed something:    run more rounds
//!     every cell has one candidate:        count a solution; if it is the second, discard the
//!                                          stack; take the next node
//!     otherwise:                           guess: continue with one digit of a cell, push a node
//!                                          with its other digits on the thread's stack
//! ```
//! The next node comes from the thread's stack. If the stack is empty, it is a new puzzle, whose
//! index comes from a counter that all threads share.
//!
//! A round has no tables and no branches. Threads of a warp wait for each other while one of them
//! takes its next node, so nodes are taken after several rounds, not after each. The 81 cells must
//! stay in registers: every index into the board is a constant after unrolling, and a guess is
//! written by 81 selections.
//!
//! Taking nodes must be cheap, or it costs more than the rounds (measured: three times as much on
//! hard lists). A node is stored as 28 contiguous words, three cells per word. Interleaving the
//! nodes of neighbouring threads would not help, because these threads guess at different depths.
//! The cell for a guess is chosen by loops over these words that are *not* unrolled: their bounds
//! are kernel arguments, so the compiler cannot unroll them. Unrolled code would exceed the
//! instruction cache and need more registers than there are.
//!
//! At the end of a list some threads still search in hard puzzles while all others are idle. The
//! busy threads then write their nodes to a list, and the next launch treats each node as a puzzle
//! of its own. So every launch distributes the remaining work over all threads again. The last
//! launch runs to the end.

use cubecl::prelude::*;

/// Words per puzzle: eight cells in each, four bits per cell, 0 for an empty cell.
pub const WORDS: usize = 11;

/// Words per node: three cells in each, nine bits per cell. The last word is the index of the
/// puzzle.
pub const NODE_WORDS: usize = 28;

/// Words per memory access when reading and writing nodes.
pub const PIECE: usize = 4;

/// Memory accesses per node.
pub const PIECES: usize = NODE_WORDS / PIECE;

/// Capacity of a thread's stack, in nodes. Each waiting node belongs to one guess on the path to
/// the current node, and each guess fixed another cell, so 81 are enough.
pub const DEPTH: usize = 81;

/// The most nodes that a thread may leave to the next launch.
pub const MAX_UNFINISHED: usize = 16;

/// Words per answer: the number of solutions (more than two means two) and the number of guesses.
pub const ANSWER_WORDS: usize = 2;

#[cube]
fn only_first(a: u32, b: u32, c: u32) -> u32 {
    a ^ (a & (b | c))
}

#[cube]
fn exactly_one(a: u32, b: u32, c: u32) -> u32 {
    let odd = a ^ b ^ c;
    odd ^ (odd & a & b & c)
}

/// The set without its smallest digit.
#[cube]
fn without_smallest(set: u32) -> u32 {
    set & (set - 1u32)
}

#[cube]
fn if_single(set: u32) -> u32 {
    select(without_smallest(set) == 0u32, set, 0u32)
}

/// For the 3 × 3 triads of a band or stack, line by line: the digits that some permutation of the
/// triads uses.
#[cube]
fn allowed_by_permutations(possible: &Array<u32>, allowed: &mut Array<u32>) {
    #[unroll]
    for line in 0..3usize {
        #[unroll]
        for triad in 0..3usize {
            let next = (line + 1) % 3 * 3;
            let last = (line + 2) % 3 * 3;
            let right = (triad + 1) % 3;
            let left = (triad + 2) % 3;
            let parallel = possible[next + right] & possible[last + left];
            let crossed = possible[next + left] & possible[last + right];
            allowed[line * 3 + triad] = possible[line * 3 + triad] & (parallel | crossed);
        }
    }
}

/// `required` if it has at least three digits, else `allowed`.
#[cube]
fn keep_if_three(required: u32, allowed: u32) -> u32 {
    let third = without_smallest(without_smallest(required));
    select(third == 0u32, allowed, required)
}

/// Applies every rule once and returns the sum of all sets. Sets only shrink, so an equal sum means
/// that nothing changed.
#[cube]
fn round(board: &mut Array<u32>) -> u32 {
    let mut possible = Array::<u32>::new(9usize);
    let mut fixed = Array::<u32>::new(9usize);
    let mut allowed = Array::<u32>::new(9usize);
    let mut single_in_row = Array::<u32>::new(27usize);
    #[unroll]
    for band in 0..3usize {
        #[unroll]
        for triad in 0..9usize {
            let at = band * 27 + triad * 3;
            let a = board[at];
            let b = board[at + 1];
            let c = board[at + 2];
            let fixed_a = if_single(a);
            let fixed_b = if_single(b);
            let fixed_c = if_single(c);
            possible[triad] = a | b | c;
            fixed[triad] = fixed_a | fixed_b | fixed_c;
            board[at] = only_first(a, fixed_b, fixed_c);
            board[at + 1] = only_first(b, fixed_a, fixed_c);
            board[at + 2] = only_first(c, fixed_a, fixed_b);
        }
        #[unroll]
        for triad in 0..9usize {
            possible[triad] =
                only_first(possible[triad], fixed[(triad + 3) % 9], fixed[(triad + 6) % 9]);
        }
        allowed_by_permutations(&possible, &mut allowed);
        #[unroll]
        for triad in 0..9usize {
            let at = band * 27 + triad * 3;
            let required =
                only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
            let keep = keep_if_three(required, allowed[triad]);
            let a = board[at] & keep;
            let b = board[at + 1] & keep;
            let c = board[at + 2] & keep;
            single_in_row[band * 9 + triad] = required & exactly_one(a, b, c);
            board[at] = a;
            board[at + 1] = b;
            board[at + 2] = c;
        }
    }
    let mut sum = 0u32;
    #[unroll]
    for stack in 0..3usize {
        // Here a line is a column, and its triads are the three cells of each band.
        #[unroll]
        for triad in 0..9usize {
            let at = triad % 3 * 27 + stack * 3 + triad / 3;
            possible[triad] = board[at] | board[at + 9] | board[at + 18];
        }
        allowed_by_permutations(&possible, &mut allowed);
        #[unroll]
        for triad in 0..9usize {
            let at = triad % 3 * 27 + stack * 3 + triad / 3;
            let required =
                only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
            let keep = keep_if_three(required, allowed[triad]);
            let single_in_column = required & exactly_one(board[at], board[at + 9], board[at + 18]);
            #[unroll]
            for row in 0..3usize {
                let kept = board[at + row * 9] & keep;
                let in_row = single_in_row[triad % 3 * 9 + row * 3 + stack];
                let single = kept & (in_row | single_in_column);
                let kept = select(single == 0u32, kept, single);
                board[at + row * 9] = kept;
                sum += kept;
            }
        }
    }
    sum
}

/// Sets the lowest bit of each of the three sets in a word that is not empty.
#[cube]
fn not_empty(sets: u32) -> u32 {
    ((sets | ((sets & LOW_EIGHT) + LOW_EIGHT)) >> 8u32) & LOWEST
}

/// Moves the lowest bits of three sets to bits 0 to 2.
#[cube]
fn side_by_side(lowest: u32) -> u32 {
    // The product has bits 0, 9 and 18 at positions 18, 19 and 20.
    ((lowest * 0x4_0404u32) >> 18u32) & 7u32
}

/// Chooses the cell for a guess: the two-candidate cell with the most open peers or, if there is
/// none, the first cell with the fewest candidates. No cell may be without candidates. `three` must
/// be 3; as an argument, it prevents unrolling.
#[cube]
fn choose(words: &Array<u32>, three: u32) -> u32 {
    // Cells with exactly two candidates and cells with at least two; one word of 27 bits per band.
    let mut two = Array::<u32>::new(3usize);
    let mut open = Array::<u32>::new(3usize);
    for band in 0..three {
        let mut with_two = 0u32;
        let mut with_more = 0u32;
        for triad in 0..three * three {
            let sets = words[(band * 9u32 + triad) as usize];
            let second = sets & (sets - LOWEST);
            let is_open = not_empty(second);
            let third = second & (second - is_open);
            let is_two = is_open ^ (is_open & not_empty(third));
            with_two |= side_by_side(is_two) << (triad * 3u32);
            with_more |= side_by_side(is_open) << (triad * 3u32);
        }
        two[band as usize] = with_two;
        open[band as usize] = with_more;
    }
    // The score and the cell are combined in one number. The largest wins; among equal scores, the
    // first cell.
    let mut best = 0u32;
    for band in 0..three {
        let here = open[band as usize];
        let next = open[((band + 1u32) % 3u32) as usize];
        let last = open[((band + 2u32) % 3u32) as usize];
        let mut left = two[band as usize];
        while left != 0u32 {
            let cell = u32::find_first_set(left) - 1u32;
            left = without_smallest(left);
            let row = cell / 9u32;
            let column = cell % 9u32;
            let in_band = here & ((511u32 << (row * 9u32)) | (BOX << (column / 3u32 * 3u32)));
            let in_column = ((next >> column) & LOWEST) | (((last >> column) & LOWEST) << 1u32);
            let peers = u32::count_ones(in_band) + u32::count_ones(in_column);
            best = max(best, peers * 128u32 + 127u32 - (band * 27u32 + cell));
        }
    }
    if best == 0u32 {
        for cell in 0..three * 27u32 {
            let count = u32::count_ones(set_of(words, cell));
            let key = (16u32 - count) * 128u32 + 127u32 - cell;
            best = max(best, select(count > 1u32, key, 0u32));
        }
    }
    127u32 - best % 128u32
}

/// The candidates of a cell whose index is only known at run time.
#[cube]
fn set_of(words: &Array<u32>, cell: u32) -> u32 {
    (words[(cell / 3u32) as usize] >> (cell % 3u32 * 9u32)) & 511u32
}

/// The lowest bits of three sets in a word; also the first column of a band, as a set of its 27
/// cells.
const LOWEST: u32 = 0b000_000_001_000_000_001_000_000_001;
/// All bits except the highest of each of the three sets in a word.
const LOW_EIGHT: u32 = 255 * LOWEST;
/// The first box of a band, as a set of its 27 cells.
const BOX: u32 = 0b000_000_111_000_000_111_000_000_111;

/// The candidates of a cell, from its four bits in a word of the puzzle.
#[cube]
fn candidates(cells: u32, shift: u32) -> u32 {
    let digit = (cells >> shift) & 15u32;
    select(digit == 0u32, 511u32, (1u32 << digit) >> 1u32)
}

/// The digit of a cell with one candidate.
#[cube]
fn digit(set: u32) -> u32 {
    32u32 - u32::leading_zeros(set)
}

#[cube]
fn read_puzzle(board: &mut Array<u32>, puzzles: &Array<u32>, puzzle: usize) {
    #[unroll]
    for word in 0..10usize {
        let cells = puzzles[puzzle * comptime!(WORDS) + word];
        #[unroll]
        for i in 0..8usize {
            board[word * 8 + i] = candidates(cells, i as u32 * 4u32);
        }
    }
    board[80] = candidates(puzzles[puzzle * comptime!(WORDS) + 10], 0u32);
}

#[cube]
fn write_solution(board: &Array<u32>, solutions: &mut Array<u32>, puzzle: usize) {
    #[unroll]
    for word in 0..10usize {
        let mut cells = 0u32;
        #[unroll]
        for i in 0..8usize {
            cells |= digit(board[word * 8 + i]) << (i as u32 * 4u32);
        }
        solutions[puzzle * comptime!(WORDS) + word] = cells;
    }
    solutions[puzzle * comptime!(WORDS) + 10] = digit(board[80]);
}

/// Loads a node from GPU memory into registers; returns the index of its puzzle.
#[cube]
fn read_node<N: Size>(board: &mut Array<u32>, nodes: &Array<Vector<u32, N>>, node: usize) -> u32 {
    let mut words = Array::<u32>::new(comptime!(NODE_WORDS));
    #[unroll]
    for piece in 0..PIECES {
        let four = nodes[node * comptime!(PIECES) + piece];
        #[unroll]
        for i in 0..PIECE {
            words[piece * PIECE + i] = four[i];
        }
    }
    #[unroll]
    for triad in 0..27usize {
        board[triad * 3] = words[triad] & 511u32;
        board[triad * 3 + 1] = (words[triad] >> 9u32) & 511u32;
        board[triad * 3 + 2] = words[triad] >> 18u32;
    }
    words[27]
}

/// Packs a node into words. Multiplying and adding is faster here than shifting and joining,
/// because it uses other execution units than the rest of the code.
#[cube]
fn pack(board: &Array<u32>, puzzle: u32, words: &mut Array<u32>) {
    #[unroll]
    for triad in 0..27usize {
        words[triad] =
            board[triad * 3] + board[triad * 3 + 1] * 512u32 + board[triad * 3 + 2] * 262_144u32;
    }
    words[27] = puzzle;
}

#[cube]
fn write_node<N: Size>(words: &Array<u32>, nodes: &mut Array<Vector<u32, N>>, node: usize) {
    #[unroll]
    for piece in 0..PIECES {
        let mut four = Vector::<u32, N>::empty();
        #[unroll]
        for i in 0..PIECE {
            four[i] = words[piece * PIECE + i];
        }
        nodes[node * comptime!(PIECES) + piece] = four;
    }
}

/// Splits a node: the board keeps the smallest digit of the cell, the words keep the other digits.
#[cube]
fn split(board: &mut Array<u32>, words: &mut Array<u32>, cell: u32) {
    let set = set_of(words, cell);
    let smallest = set ^ without_smallest(set);
    let triad = cell / 3u32;
    let shift = cell % 3u32 * 9u32;
    let sets = words[triad as usize];
    words[triad as usize] = sets ^ (smallest << shift);
    // The candidates that the three cells of the triad may keep.
    let keep = ((511u32 ^ smallest) << shift) ^ 0x7FF_FFFFu32;
    #[unroll]
    for other in 0..27usize {
        let is_here = triad == other as u32;
        #[unroll]
        for i in 0..3usize {
            let set = board[other * 3 + i];
            board[other * 3 + i] = select(is_here, set & (keep >> (9 * i) as u32), set);
        }
    }
}

/// Solves items until none is left. The items are puzzles or, if `takes_nodes`, unfinished nodes of
/// the previous launch.
///
/// In launch `pass`, counter `2 · pass` is the next item and counter `2 · pass + 1` the number of
/// items. Once all items are taken, a thread that has made `guesses_allowed` guesses in its item
/// writes its nodes to `unfinished`.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
pub fn solve<N: Size>(
    puzzles: &Array<u32>,
    taken: &Array<Vector<u32, N>>,
    unfinished: &mut Array<Vector<u32, N>>,
    counters: &mut Array<Atomic<u32>>,
    stack: &mut Array<Vector<u32, N>>,
    answers: &mut Array<Atomic<u32>>,
    solutions: &mut Array<u32>,
    pass: u32,
    guesses_allowed: u32,
    three: u32,
    #[comptime] rounds: u32,
    #[comptime] takes_nodes: bool,
) {
    // Index of the first node of this thread's stack.
    let stack_start = ABSOLUTE_POS * comptime!(DEPTH);
    let counter = pass as usize * 2;
    let items = counters[counter + 1].load();
    let mut board = Array::<u32>::new(81usize);
    let mut puzzle = 0usize;
    let mut guesses = 0u32;
    let mut depth = 0u32;
    let mut sum = 0u32;
    let mut needs_node = true;
    let mut is_active = true;
    while is_active {
        if needs_node {
            needs_node = false;
            sum = 0u32;
            if depth > 0u32 {
                depth -= 1u32;
                read_node(&mut board, stack, stack_start + depth as usize);
            } else {
                if guesses > 0u32 {
                    answers[puzzle * comptime!(ANSWER_WORDS) + 1].fetch_add(guesses);
                }
                guesses = 0u32;
                let item = counters[counter].fetch_add(1u32);
                is_active = item < items;
                if is_active {
                    if takes_nodes {
                        puzzle = read_node(&mut board, taken, item as usize) as usize;
                        if answers[puzzle * comptime!(ANSWER_WORDS)].load() > 1u32 {
                            // Two solutions are enough: make the node dead.
                            board[0] = 0u32;
                        }
                    } else {
                        puzzle = item as usize;
                        answers[puzzle * comptime!(ANSWER_WORDS)].store(0u32);
                        answers[puzzle * comptime!(ANSWER_WORDS) + 1].store(0u32);
                        read_puzzle(&mut board, puzzles, puzzle);
                    }
                }
            }
        }
        if is_active {
            let mut before = sum;
            for _ in 0..rounds {
                before = sum;
                sum = round(&mut board);
            }
            // Subtracting 1 borrows only if a cell has no candidates.
            let mut borrowed = 0u32;
            let mut open = 0u32;
            #[unroll]
            for cell in 0..81usize {
                borrowed |= board[cell] - 1u32;
                open |= without_smallest(board[cell]);
            }
            if borrowed >> 31u32 == 1u32 {
                needs_node = true;
            } else if sum == before {
                if open == 0u32 {
                    let found = answers[puzzle * comptime!(ANSWER_WORDS)].fetch_add(1u32);
                    if found == 0u32 {
                        write_solution(&board, solutions, puzzle);
                    } else {
                        depth = 0u32;
                    }
                    needs_node = true;
                } else {
                    let mut words = Array::<u32>::new(comptime!(NODE_WORDS));
                    pack(&board, puzzle as u32, &mut words);
                    let mut continues = true;
                    if guesses >= guesses_allowed && depth < comptime!(MAX_UNFINISHED as u32) {
                        continues = counters[counter].load() < items;
                    }
                    if continues {
                        let cell = choose(&words, three);
                        split(&mut board, &mut words, cell);
                        write_node(&words, stack, stack_start + depth as usize);
                        guesses += 1u32;
                        depth += 1u32;
                        sum = 0u32;
                    } else {
                        let first = counters[counter + 3].fetch_add(depth + 1u32) as usize;
                        let pieces = depth as usize * comptime!(PIECES);
                        for piece in 0..pieces {
                            unfinished[first * comptime!(PIECES) + piece] =
                                stack[stack_start * comptime!(PIECES) + piece];
                        }
                        write_node(&words, unfinished, first + depth as usize);
                        depth = 0u32;
                        needs_node = true;
                    }
                }
            }
        }
    }
}
