#pragma once

/// jemalloc's options, which it reads by this name when the process starts; `MALLOC_CONF` in the environment overrides them.
extern const char *malloc_conf;
