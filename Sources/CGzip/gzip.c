#include "CGzip.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// zlib is opened when it is needed: without it nothing is compressed, and a build does not need its headers.
static unsigned long (*bound)(unsigned long);
static int (*compress_as_zlib)(
    unsigned char *, unsigned long *, const unsigned char *, unsigned long, int);
static unsigned long (*checksum)(unsigned long, const unsigned char *, unsigned);

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#ifdef __APPLE__
    void *library = dlopen("libz.1.dylib", RTLD_NOW | RTLD_LOCAL);
#else
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
#endif
    if (!library) return;
    void *functions[] = {
        dlsym(library, "compressBound"), dlsym(library, "compress2"), dlsym(library, "crc32")};
    if (!functions[0] || !functions[1] || !functions[2]) return;
    memcpy(&compress_as_zlib, &functions[1], sizeof functions[1]);
    memcpy(&checksum, &functions[2], sizeof functions[2]);
    memcpy(&bound, &functions[0], sizeof functions[0]);
}

enum { header_size = 10, trailer_size = 8, zlib_header_size = 2, zlib_trailer_size = 4 };

size_t gzip_bound(size_t count) {
    pthread_once(&once, load);
    return bound && count <= UINT32_MAX / 2 ? header_size + bound(count) + trailer_size : 0;
}

size_t gzip_compress(const unsigned char *bytes, size_t count, unsigned char *compressed) {
    size_t room = gzip_bound(count);
    if (room == 0) return 0;
    // The compressed data stand between the header and the trailer of zlib's own format, which gzip's replace.
    unsigned char *data = compressed + header_size - zlib_header_size;
    unsigned long size = room - header_size - trailer_size;
    if (compress_as_zlib(data, &size, bytes, count, 9) != 0) return 0;
    static const unsigned char header[header_size] = {0x1f, 0x8b, 8, [8] = 2, [9] = 255};
    memcpy(compressed, header, sizeof header);
    unsigned char *trailer = data + size - zlib_trailer_size;
    uint32_t numbers[] = {(uint32_t)checksum(0, bytes, (unsigned)count), (uint32_t)count};
    for (int index = 0; index < trailer_size; index++)
        trailer[index] = (unsigned char)(numbers[index / 4] >> (index % 4 * 8));
    return (size_t)(trailer - compressed) + trailer_size;
}
