#pragma once
#include <zlib.h>

/// `inflateInit2` for the gzip format alone, which Swift cannot call because it is a macro.
static inline int intentd_gzip_inflate_init(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

/// `deflateInit2` for the gzip format, which Swift cannot call because it is a macro.
static inline int intentd_gzip_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
