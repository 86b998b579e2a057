#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/// A file that a server sends to browsers and clients, embedded in the program.
typedef struct page_file {
    /// Its name, such as `main.js`.
    const char *name;
    /// Its text, which ends with a zero.
    const unsigned char *text;
} page_file;

/// One file of the page that shows a session in a browser, in the order of their names; `NULL`
/// after the last.
const page_file *workflow_inspector_file_at(size_t index);

/// One file that the service offers to authors of clients, likewise.
const page_file *workflow_service_file_at(size_t index);

#endif
