#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stddef.h>

/// How many heap allocations the process has made since it started. Exact on Linux with glibc, where
/// this target takes the place of malloc and its relatives; always 0 elsewhere.
size_t allocation_count(void);

/// How many bytes the live allocations of the process occupy; 0 where they are not counted.
size_t allocation_bytes(void);

#endif
