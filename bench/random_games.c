/* Random complete games in plain C: the yardstick for the compiled rules kernel.
 *
 * The same algorithm as quiltwork/rules, for editions without a reserve; `edition.h`, written by bench/kernel.py,
 * holds the edition's numbers as constants. Prints games, plies, wins of player 1 and seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "edition.h"

enum { TURN, SPECIAL, OVER };

typedef struct {
    uint64_t free[2][2];
    uint64_t special[2][2];
    uint64_t present;
    int16_t space[2], buttons[2], income[2];
    int8_t phase, turn, tile, first, pending, token;
    int8_t ring[64];
    uint16_t placed[64];
} position;

static uint64_t state = 1;

static inline uint64_t draw(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline int below(int bound) { return (int)(((draw() >> 32) * (uint64_t)bound) >> 32); }

static inline int nth(uint64_t word, int n) {
    while (n--) word &= word - 1;
    return __builtin_ctzll(word);
}

static inline int nth_cell(const uint64_t *words, int n) {
    int low = __builtin_popcountll(words[0]);
    return n < low ? nth(words[0], n) : 64 + nth(words[1], n - low);
}

static inline int ring_place(const position *p, int slot) {
    uint64_t ahead = p->present & (~0ull << p->token), behind = p->present ^ ahead;
    int place = 0;
    for (int i = 0; i <= slot; i++) {
        if (!ahead) ahead = behind;
        place = __builtin_ctzll(ahead);
        ahead &= ahead - 1;
    }
    return place;
}

static inline void award_special_tile(position *p) {
    if (p->tile >= 0 || SQUARE_COUNT == 0) return;
    const uint64_t *free = p->free[p->turn];
    for (int s = 0; s < SQUARE_COUNT; s++)
        if (((free[0] & SQUARES[s][0]) | (free[1] & SQUARES[s][1])) == 0) {
            p->tile = p->turn;
            return;
        }
}

static inline void end_turn(position *p) {
    int own = p->space[p->turn], other = p->space[1 - p->turn];
    if (own == LAST_SPACE && other == LAST_SPACE) {
        p->phase = OVER;
    } else {
        p->phase = TURN;
        if (own > other) p->turn = 1 - p->turn;
    }
}

static inline uint64_t crossed(uint64_t marks, int start, int end) {
    return marks & (~0ull << start << 1) & (~0ull >> (63 - end));
}

static inline void move_time_token(position *p, int distance) {
    int mover = p->turn, start = p->space[mover], end = start + distance;
    if (end > LAST_SPACE) end = LAST_SPACE;
    p->space[mover] = end;
    if (end == LAST_SPACE && p->first < 0) p->first = mover;
    p->buttons[mover] += p->income[mover] * __builtin_popcountll(crossed(INCOME_MARKS, start, end));
    int foremost = p->space[1 - mover] > start ? p->space[1 - mover] : start;
    if (end > foremost) p->pending = __builtin_popcountll(crossed(SPECIAL_PATCH_MARKS, foremost, end));
    if (p->pending > 0) p->phase = SPECIAL;
    else end_turn(p);
}

static inline void lay_patch(position *p, int patch, int shape, int cell) {
    int mover = p->turn;
    uint64_t low = MASK[shape][0], high = MASK[shape][1];
    if (cell >= 64) {
        high = low << (cell - 64);
        low = 0;
    } else if (cell > 0) {
        high = (high << cell) | (low >> (64 - cell));
        low <<= cell;
    }
    p->free[mover][0] &= ~low;
    p->free[mover][1] &= ~high;
    p->placed[patch] = (mover << 10) | (ORIENTATION[shape] << 7) | (cell - INDENT[shape]);
    p->income[mover] += INCOME[patch];
    award_special_tile(p);
    move_time_token(p, TIME[patch]);
}

static uint64_t scratch[MAX_CHOICES * 8][2];

static inline int count_placements(const position *p, int patch, uint64_t (*row)[2]) {
    const uint64_t *free = p->free[p->turn];
    int found = 0;
    for (int shape = FIRST_SHAPE[patch]; shape < FIRST_SHAPE[patch + 1]; shape++, row++) {
        uint64_t low = free[0], high = free[1];
        for (int i = 0; i < SIZE[patch] - 1; i++) {
            int step = STEP[shape][i];
            low = free[0] & ((low >> step) | (high << (64 - step)));
            high = free[1] & (high >> step);
        }
        (*row)[0] = low &= STARTS[shape][0];
        (*row)[1] = high &= STARTS[shape][1];
        found += __builtin_popcountll(low) + __builtin_popcountll(high);
    }
    return found;
}

static inline void play_turn(position *p) {
    int mover = p->turn, total = 1, totals[MAX_CHOICES];
    int choices = __builtin_popcountll(p->present);
    if (choices > CHOICES) choices = CHOICES;
    for (int slot = 0; slot < choices; slot++) {
        int patch = p->ring[ring_place(p, slot)];
        if (PRICE[patch] <= p->buttons[mover]) total += count_placements(p, patch, scratch + slot * 8);
        totals[slot] = total;
    }
    int n = below(total), slot = 0, before = 1;
    if (n == 0) {
        int target = p->space[1 - mover] + 1;
        if (target > LAST_SPACE) target = LAST_SPACE;
        int distance = target - p->space[mover];
        p->buttons[mover] += distance;
        move_time_token(p, distance);
        return;
    }
    while (totals[slot] <= n) before = totals[slot++];
    int place = ring_place(p, slot), patch = p->ring[place];
    p->present ^= 1ull << place;
    p->token = place;
    p->buttons[mover] -= PRICE[patch];
    n -= before;
    uint64_t(*row)[2] = scratch + slot * 8;
    for (int shape = FIRST_SHAPE[patch];; shape++, row++) {
        int here = __builtin_popcountll((*row)[0]) + __builtin_popcountll((*row)[1]);
        if (n < here) {
            lay_patch(p, patch, shape, nth_cell(*row, n));
            return;
        }
        n -= here;
    }
}

static inline void play_special(position *p) {
    uint64_t *free = p->free[p->turn];
    int empty = __builtin_popcountll(free[0]) + __builtin_popcountll(free[1]);
    int n = below(empty + (empty == 0 || MAY_REMOVE_SPECIAL_PATCH));
    if (n < empty) {
        int cell = nth_cell(free, n);
        free[cell >> 6] &= ~(1ull << (cell & 63));
        p->special[p->turn][cell >> 6] |= 1ull << (cell & 63);
        award_special_tile(p);
    }
    if (--p->pending == 0) end_turn(p);
}

static inline int score(const position *p, int player) {
    int empty = __builtin_popcountll(p->free[player][0]) + __builtin_popcountll(p->free[player][1]);
    return p->buttons[player] + POINTS_PER_EMPTY_SPACE * empty + (p->tile == player ? TILE_POINTS : 0);
}

int main(int argc, char **argv) {
    long games = argc > 1 ? atol(argv[1]) : 100000, plies = 0, wins = 0;
    position start;
    memset(&start, 0, sizeof start);
    for (int player = 0; player < 2; player++) {
        start.free[player][0] = BOARD[0];
        start.free[player][1] = BOARD[1];
        start.buttons[player] = START_BUTTONS;
    }
    start.tile = start.first = -1;
    start.present = ~0ull >> (64 - PATCH_COUNT);
    memcpy(start.ring, RING, sizeof RING);
    memset(start.placed, 0xFF, sizeof start.placed);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long g = 0; g < games; g++) {
        position p = start;
        while (p.phase != OVER) {
            if (p.phase == TURN) play_turn(&p);
            else play_special(&p);
            plies++;
        }
        int lead = score(&p, 0) - score(&p, 1);
        wins += lead > 0 || (lead == 0 && p.first == 0);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%ld %ld %ld %.6f\n", games, plies, wins, b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9);
    return 0;
}
