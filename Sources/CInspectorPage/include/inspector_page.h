#ifndef INSPECTOR_PAGE_H
#define INSPECTOR_PAGE_H

#include <stddef.h>

/// A file of the page that shows a session in a browser.
typedef struct inspector_page_file {
    /// Its name, such as `main.js`.
    const char *name;
    const unsigned char *bytes;
    size_t count;
} inspector_page_file;

/// One file of the page, in the order of their names; `NULL` after the last.
const inspector_page_file *inspector_page_file_at(size_t index);

#endif
