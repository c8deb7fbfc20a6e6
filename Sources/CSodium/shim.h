#pragma once
#include <sodium.h>

/* Swift does not import the over-aligned state of the incremental hash; it lays out memory of this size and alignment. */
static inline size_t moot_blake2b_state_size(void) { return sizeof(crypto_generichash_blake2b_state); }
static inline size_t moot_blake2b_state_alignment(void) { return _Alignof(crypto_generichash_blake2b_state); }
