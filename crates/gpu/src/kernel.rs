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
//! every index into the board is a constant after unrolling, and the cell of a guess is written by 81 selections. The
//! stack lies in the card's memory, cell by cell and not thread by thread, so that threads side by side write side by side.
//!
//! The end of a list. When no puzzle is left, some threads still search in hard ones while all others have nothing to
//! do. They put their nodes down, all that wait and the one at hand, and the next launch takes each of these for a puzzle
//! of its own; so every launch shares what is left among all threads again. The last one puts nothing down.

use cubecl::prelude::*;

/// Words of a puzzle: eight cells each, four bits a cell, 0 for an empty one.
pub const WORDS: usize = 11;

/// Words of a node on the stack: two cells each.
pub const NODE_WORDS: usize = 41;

/// Words of a node that was put down: its puzzle follows its cells.
pub const PUT_DOWN_WORDS: usize = NODE_WORDS + 1;

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
            possible[triad] = only_first(possible[triad], fixed[(triad + 3) % 9], fixed[(triad + 6) % 9]);
        }
        allowed_by_permutations(&possible, &mut allowed);
        #[unroll]
        for triad in 0..9usize {
            let at = band * 27 + triad * 3;
            let due = only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
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
            let due = only_first(allowed[triad], allowed[(triad + 3) % 9], allowed[(triad + 6) % 9]);
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

/// The cell to guess in: of the cells with two candidates the one with most such cells among its peers; without any,
/// the first with the fewest candidates.
#[cube]
fn choose(board: &Array<u32>) -> u32 {
    // The cells with two candidates, a word for each band.
    let mut two = Array::<u32>::new(3usize);
    #[unroll]
    for band in 0..3usize {
        let mut cells = 0u32;
        #[unroll]
        for cell in 0..27usize {
            cells |= select(u32::count_ones(board[band * 27 + cell]) == 2u32, 1u32 << cell as u32, 0u32);
        }
        two[band] = cells;
    }
    // A cell's number and how good it is are one number: the largest wins, and of equals the first cell.
    let mut best = 0u32;
    if two[0] | two[1] | two[2] != 0u32 {
        let mut of_columns = Array::<u32>::new(9usize);
        #[unroll]
        for column in 0..9usize {
            let by = column as u32;
            let a = (two[0] >> by) & COLUMN;
            let b = (two[1] >> by) & COLUMN;
            let c = (two[2] >> by) & COLUMN;
            of_columns[column] = u32::count_ones(a | b << 1u32 | c << 2u32) * 128u32 - by;
        }
        #[unroll]
        for triad in 0..27usize {
            let row = triad / 3;
            let cells = two[row / 3];
            let in_row = u32::count_ones(cells & (511u32 << (row % 3 * 9) as u32));
            let in_box = u32::count_ones(cells & (BOX << (triad % 3 * 3) as u32));
            let of_triad = (in_row + in_box) * 128u32 + (127 - 9 * row) as u32;
            #[unroll]
            for i in 0..3usize {
                let here = (cells >> (row % 3 * 9 + triad % 3 * 3 + i) as u32) & 1u32;
                let key = select(here == 1u32, of_triad + of_columns[triad % 3 * 3 + i], 0u32);
                best = max(best, key);
            }
        }
    } else {
        #[unroll]
        for cell in 0..81usize {
            let count = u32::count_ones(board[cell]);
            let key = (16u32 - count) * 128u32 + (127 - cell) as u32;
            best = max(best, select(count > 1u32, key, 0u32));
        }
    }
    127u32 - best % 128u32
}

/// The first column of a band and the first box of a band, as sets of its 27 cells.
const COLUMN: u32 = 0b000_000_001_000_000_001_000_000_001;
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

/// The node that was written with this stride, from `base` on.
#[cube]
fn read_node(board: &mut Array<u32>, nodes: &Array<u32>, base: usize, stride: usize) {
    #[unroll]
    for word in 0..40usize {
        let pair = nodes[base + word * stride];
        board[2 * word] = pair & 0xFFFFu32;
        board[2 * word + 1] = pair >> 16u32;
    }
    board[80] = nodes[base + 40 * stride];
}

#[cube]
fn write_node(board: &Array<u32>, nodes: &mut Array<u32>, base: usize, stride: usize) {
    #[unroll]
    for word in 0..40usize {
        nodes[base + word * stride] = board[2 * word] | board[2 * word + 1] << 16u32;
    }
    nodes[base + 40 * stride] = board[80];
}

/// The smallest digit of a cell whose number is only known at run time.
#[cube]
fn smallest_of(board: &Array<u32>, cell: u32) -> u32 {
    let mut pair = board[80];
    #[unroll]
    for word in 0..40usize {
        pair = select(cell >> 1u32 == word as u32, board[2 * word] | board[2 * word + 1] << 16u32, pair);
    }
    let set = select(cell & 1u32 == 1u32, pair >> 16u32, pair & 0xFFFFu32);
    set ^ without_smallest(set)
}

/// Splits a node: the board goes on with the smallest digit of the cell, the stack keeps its other digits.
#[cube]
fn split(board: &mut Array<u32>, cell: u32, stack: &mut Array<u32>, base: usize, stride: usize) {
    let smallest = smallest_of(board, cell);
    let is_odd = cell & 1u32 == 1u32;
    // What leaves the pair of cells on the stack, and what both may keep on the board.
    let leaves = select(is_odd, smallest << 16u32, smallest);
    let keep_even = select(is_odd, 0xFFFFu32, smallest);
    let keep_odd = select(is_odd, smallest, 0xFFFFu32);
    #[unroll]
    for word in 0..40usize {
        let is_here = cell >> 1u32 == word as u32;
        let even = board[2 * word];
        let odd = board[2 * word + 1];
        let pair = even | odd << 16u32;
        stack[base + word * stride] = select(is_here, pair ^ leaves, pair);
        board[2 * word] = select(is_here, even & keep_even, even);
        board[2 * word + 1] = select(is_here, odd & keep_odd, odd);
    }
    let last = board[80];
    stack[base + 40 * stride] = select(cell == 80u32, last ^ smallest, last);
    board[80] = select(cell == 80u32, smallest, last);
}

/// Solves puzzles, or nodes that were put down, until none is left.
///
/// Launch `pass` takes its items by the counter `2 · pass`, and `2 · pass + 1` says how many there are. A thread that has
/// guessed `guesses_allowed` times in an item puts its nodes down when all items are taken.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
pub fn solve(
    puzzles: &Array<u32>,
    taken: &Array<u32>,
    put_down: &mut Array<u32>,
    counters: &mut Array<Atomic<u32>>,
    stack: &mut Array<u32>,
    answers: &mut Array<Atomic<u32>>,
    solutions: &mut Array<u32>,
    threads: u32,
    pass: u32,
    guesses_allowed: u32,
    #[comptime] rounds: u32,
    #[comptime] takes_nodes: bool,
) {
    let thread = ABSOLUTE_POS;
    let threads = threads as usize;
    let room = threads * comptime!(MOST_PUT_DOWN);
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
                read_node(&mut board, stack, depth as usize * comptime!(NODE_WORDS) * threads + thread, threads);
            } else {
                if guesses > 0u32 {
                    answers[puzzle * comptime!(ANSWER_WORDS) + 1].fetch_add(guesses);
                }
                guesses = 0u32;
                let item = counters[counter].fetch_add(1u32);
                works = item < items;
                if works {
                    if takes_nodes {
                        puzzle = taken[comptime!(NODE_WORDS) * room + item as usize] as usize;
                        read_node(&mut board, taken, item as usize, room);
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
                    let mut goes_on = true;
                    if guesses >= guesses_allowed && depth < comptime!(MOST_PUT_DOWN as u32) {
                        goes_on = counters[counter].load() < items;
                    }
                    if goes_on {
                        let cell = choose(&board);
                        let base = depth as usize * comptime!(NODE_WORDS) * threads + thread;
                        split(&mut board, cell, stack, base, threads);
                        guesses += 1u32;
                        depth += 1u32;
                        sum = 0u32;
                    } else {
                        let first = counters[counter + 3].fetch_add(depth + 1u32) as usize;
                        for waiting in 0..depth as usize {
                            for word in 0..comptime!(NODE_WORDS) {
                                put_down[word * room + first + waiting] =
                                    stack[(waiting * comptime!(NODE_WORDS) + word) * threads + thread];
                            }
                            put_down[comptime!(NODE_WORDS) * room + first + waiting] = puzzle as u32;
                        }
                        write_node(&board, put_down, first + depth as usize, room);
                        put_down[comptime!(NODE_WORDS) * room + first + depth as usize] = puzzle as u32;
                        depth = 0u32;
                        needs_node = true;
                    }
                }
            }
        }
    }
}
