#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stddef.h>

/// The number of heap allocations of the process since it started. Exact on Linux with glibc, where
/// this target takes the place of malloc and its relatives; always 0 elsewhere.
size_t allocation_count(void);

/// The number of bytes in the live allocations of the process; 0 where they are not counted.
size_t allocation_bytes(void);

#endif
