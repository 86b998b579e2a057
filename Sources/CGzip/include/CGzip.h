#ifndef C_GZIP_H
#define C_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/// The most bytes that `gzip_compress` writes for a number of bytes; 0 if zlib is not on this machine.
size_t gzip_bound(size_t count);

/// Compresses bytes as gzip (RFC 1952), as small as zlib can. `compressed` has room for `gzip_bound(count)` bytes.
/// Returns how many there are; 0 if it cannot be done.
size_t gzip_compress(const unsigned char *bytes, size_t count, unsigned char *compressed);

#endif
