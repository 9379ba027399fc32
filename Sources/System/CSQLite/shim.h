#pragma once
#include <sqlite3.h>

// Has SQLite count none of its memory: sqlite3_config is variadic, which Swift cannot call.
//
// Each allocation takes a mutex of the whole process for that count otherwise.
static inline int csqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
