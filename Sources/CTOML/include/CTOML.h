/* Reads TOML with toml++, which is C++ and throws. Every exception is caught before it reaches a function of Swift, and becomes a result.

   Nothing here opens a file or prints. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* What a value is. */
typedef enum __attribute__((enum_extensibility(closed))) {
    moot_toml_kind_text,
    moot_toml_kind_integer,
    moot_toml_kind_boolean,
    /* Its elements come next. */
    moot_toml_kind_list,
    /* Something that no setting is: a date, a fraction, or a list or a table within a list. */
    moot_toml_kind_other
} moot_toml_kind;

/* A value. */
typedef struct {
    moot_toml_kind kind;
    /* Of a text its bytes; of something else that no setting is, its name. Good until the call returns. */
    const char *text;
    size_t count;
    /* Of an integer, and of a boolean: 1 or 0. */
    int64_t number;
    /* Where it is, counted from 1. */
    uint32_t line;
} moot_toml_value;

/* What is called for every setting, in the order of their keys. `key` has its tables in front of it, as `files.quota`; a part of it that could not be written
   without quotes has them. Without a key the value is an element of the list that came last. */
typedef void (*moot_toml_visitor)(void *context, const char *key, size_t key_count, const moot_toml_value *value);

/* Why a text is no TOML. */
typedef struct {
    /* Counted from 1; 0 where it has no place, as where memory ran out. */
    uint32_t line, column;
    /* A sentence in UTF-8, cut where it is longer. */
    char reason[256];
} moot_toml_error;

/* Reads a text in UTF-8. Whoever calls bounds how deep it can be nested: each level takes a part of the stack.

   Returns 1, or 0 with the error filled in. */
int moot_toml_read(const char *bytes, size_t count, moot_toml_visitor visit, void *context, moot_toml_error *error);
