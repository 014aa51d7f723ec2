//! The batch solver as a kernel: one search node for each thread of a graphics card.
//!
//! The rules are those of `ninefold::search::batch`, whose `kernel.rs` states them in plain words. A processor puts the same
//! cell of many nodes into one vector; here a thread holds all 81 cells of one node, each a set of nine bits in a register of
//! its own, and 32 threads march in step as the lanes of a vector do:
//!
//! ```text
//! each thread, until no puzzle is left:
//!     a few rounds of propagation
//!     dead:             take the next node
//!     stuck and full:   one solution more, take the next node
//!     stuck otherwise:  guess: go on with one digit of a two-candidate cell, put the other on the thread's own stack
//! the next node: from the stack, else a new puzzle, whose number comes from a counter that all threads share
//! ```
//!
//! What makes it fast: no table and no branch inside a round. Threads that march in step wait for each other when one of
//! them takes its next node, so that is done after several rounds and not after each. The 81 cells must stay in registers:
//! every index into the board is a constant after unrolling, and the cell of a guess is written by 81 selections.
//!
//! Taking nodes must be short in every sense, or it costs more than the rounds do (measured: three times as much on hard
//! lists). A node leaves the registers as 28 words, three cells in each, and lies in the card's memory in one piece, because
//! threads side by side guess at different depths and would write into different places anyway. The cell of a
//! guess is looked for in these words by loops that are *not* unrolled (their bounds are an argument of the kernel, so that the
//! compiler cannot): unrolled, the program is too long for the instruction cache and needs more registers than there are.
//!
//! The end of a list. When no puzzle is left, some threads still search in hard ones while all others have nothing to
//! do. They put their nodes down, all that wait and the one at hand, and the next launch takes each of these for a puzzle
//! of its own; so every launch shares what is left among all threads again. The last one puts nothing down.

use cubecl::prelude::*;

/// Words of a puzzle: eight cells each, four bits a cell, 0 for an empty one.
pub const WORDS: usize = 11;

/// Words of a node: three cells each, nine bits a cell; the last word is its puzzle.
pub const NODE_WORDS: usize = 28;

/// Words that are read or written at once.
pub const PIECE: usize = 4;

/// Pieces of a node.
pub const PIECES: usize = NODE_WORDS / PIECE;

/// Nodes that can wait on a thread's stack. Each belongs to a guess on the way to the node at hand, and each of those
/// fixed another cell.
pub const DEPTH: usize = 81;

/// Nodes that a thread may put down.
pub const MOST_PUT_DOWN: usize = 16;

/// Words of an answer: the number of solutions, where more than two mean two, and the guesses.
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

/// Of the 3 × 3 triads of a band or stack, line by line: what some permutation uses.
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
            let in_step = possible[next + right] & possible[last + left];
            let against = possible[next + left] & possible[last + right];
            allowed[line * 3 + triad] = possible[line * 3 + triad] & (in_step | against);
        }
    }
}

/// `due` where it has three digits or more, `allowed` elsewhere.
#[cube]
fn three_due(due: u32, allowed: u32) -> u32 {
    let third = without_smallest(without_smallest(due));
    select(third == 0u32, allowed, due)
}

/// Applies every rule once and returns the sum of all sets: it stays the same exactly when nothing has changed.
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
            let due =
                only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
            let keep = three_due(due, allowed[triad]);
            let a = board[at] & keep;
            let b = board[at + 1] & keep;
            let c = board[at + 2] & keep;
            single_in_row[band * 9 + triad] = due & exactly_one(a, b, c);
            board[at] = a;
            board[at + 1] = b;
            board[at + 2] = c;
        }
    }
    let mut sum = 0u32;
    #[unroll]
    for stack in 0..3usize {
        // Here the lines are columns, and the triads of a line its bands.
        #[unroll]
        for triad in 0..9usize {
            let at = triad % 3 * 27 + stack * 3 + triad / 3;
            possible[triad] = board[at] | board[at + 9] | board[at + 18];
        }
        allowed_by_permutations(&possible, &mut allowed);
        #[unroll]
        for triad in 0..9usize {
            let at = triad % 3 * 27 + stack * 3 + triad / 3;
            let due =
                only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
            let keep = three_due(due, allowed[triad]);
            let single_in_column = due & exactly_one(board[at], board[at + 9], board[at + 18]);
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

/// Of three sets in a word, those that are not empty: the lowest bit of each.
#[cube]
fn not_empty(sets: u32) -> u32 {
    ((sets | ((sets & LOW_EIGHT) + LOW_EIGHT)) >> 8u32) & LOWEST
}

/// The lowest bits of three sets, side by side.
#[cube]
fn side_by_side(lowest: u32) -> u32 {
    // Bits 0, 9 and 18 go to 18, 19 and 20.
    ((lowest * 0x4_0404u32) >> 18u32) & 7u32
}

/// The cell to guess in, of a node without an empty cell: of the cells with two candidates the one with most open peers;
/// without any, the first with the fewest candidates. `three` is 3.
#[cube]
fn choose(words: &Array<u32>, three: u32) -> u32 {
    // The cells with two candidates and the open ones, a word for each band.
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
    // A cell's number and how good it is are one number: the largest wins, and of equals the first cell.
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

/// The candidates of a cell whose number is only known at run time.
#[cube]
fn set_of(words: &Array<u32>, cell: u32) -> u32 {
    (words[(cell / 3u32) as usize] >> (cell % 3u32 * 9u32)) & 511u32
}

/// The lowest bits of three sets in a word; also the first column of a band, as a set of its 27 cells.
const LOWEST: u32 = 0b000_000_001_000_000_001_000_000_001;
/// All bits but the highest of three sets in a word.
const LOW_EIGHT: u32 = 255 * LOWEST;
/// The first box of a band, as a set of its 27 cells.
const BOX: u32 = 0b000_000_111_000_000_111_000_000_111;

/// The candidates of a cell by its four bits of a word.
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

/// Takes a node out of the card's memory; returns its puzzle.
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

/// The words of a node. They are multiplied and added, not shifted and joined: other parts of the card do that meanwhile.
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

/// Splits a node: the board goes on with the smallest digit of the cell, the words keep its other digits.
#[cube]
fn split(board: &mut Array<u32>, words: &mut Array<u32>, cell: u32) {
    let set = set_of(words, cell);
    let smallest = set ^ without_smallest(set);
    let triad = cell / 3u32;
    let shift = cell % 3u32 * 9u32;
    let sets = words[triad as usize];
    words[triad as usize] = sets ^ (smallest << shift);
    // What the three cells of the triad may keep.
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

/// Solves puzzles, or nodes that were put down, until none is left.
///
/// Launch `pass` takes its items by the counter `2 · pass`, and `2 · pass + 1` says how many there are. A thread that has
/// guessed `guesses_allowed` times in an item puts its nodes down when all items are taken.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
pub fn solve<N: Size>(
    puzzles: &Array<u32>,
    taken: &Array<Vector<u32, N>>,
    put_down: &mut Array<Vector<u32, N>>,
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
    // The nodes that wait for this thread begin here.
    let waiting = ABSOLUTE_POS * comptime!(DEPTH);
    let counter = pass as usize * 2;
    let items = counters[counter + 1].load();
    let mut board = Array::<u32>::new(81usize);
    let mut puzzle = 0usize;
    let mut guesses = 0u32;
    let mut depth = 0u32;
    let mut sum = 0u32;
    let mut needs_node = true;
    let mut works = true;
    while works {
        if needs_node {
            needs_node = false;
            sum = 0u32;
            if depth > 0u32 {
                depth -= 1u32;
                read_node(&mut board, stack, waiting + depth as usize);
            } else {
                if guesses > 0u32 {
                    answers[puzzle * comptime!(ANSWER_WORDS) + 1].fetch_add(guesses);
                }
                guesses = 0u32;
                let item = counters[counter].fetch_add(1u32);
                works = item < items;
                if works {
                    if takes_nodes {
                        puzzle = read_node(&mut board, taken, item as usize) as usize;
                        if answers[puzzle * comptime!(ANSWER_WORDS)].load() > 1u32 {
                            // Two solutions are enough: the node may die.
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
        if works {
            let mut before = sum;
            for _ in 0..rounds {
                before = sum;
                sum = round(&mut board);
            }
            // A cell without candidates is the only one that borrows when one is taken from it.
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
                    let mut goes_on = true;
                    if guesses >= guesses_allowed && depth < comptime!(MOST_PUT_DOWN as u32) {
                        goes_on = counters[counter].load() < items;
                    }
                    if goes_on {
                        let cell = choose(&words, three);
                        split(&mut board, &mut words, cell);
                        write_node(&words, stack, waiting + depth as usize);
                        guesses += 1u32;
                        depth += 1u32;
                        sum = 0u32;
                    } else {
                        let first = counters[counter + 3].fetch_add(depth + 1u32) as usize;
                        let pieces = depth as usize * comptime!(PIECES);
                        for piece in 0..pieces {
                            put_down[first * comptime!(PIECES) + piece] =
                                stack[waiting * comptime!(PIECES) + piece];
                        }
                        write_node(&words, put_down, first + depth as usize);
                        depth = 0u32;
                        needs_node = true;
                    }
                }
            }
        }
    }
}
