/* The description of the local API, which the compiler puts into the program: a node needs no file next to it, and the description cannot
   be of another version. As Swift the same bytes would take a minute and 2 GB to compile. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* The bytes of `openapi.json`, which are there for as long as the program runs. */
const uint8_t *_Nonnull moot_openapi(void);

/* How many there are. */
size_t moot_openapi_count(void);
