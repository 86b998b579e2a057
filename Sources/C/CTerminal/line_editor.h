#ifndef LINE_EDITOR_H
#define LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

// Line editing with libedit, loaded when an editor is created. Without its header at build time or
// the library at run time, lines are plain. Only the thread that creates an editor may use it.
typedef struct cle_editor cle_editor;

typedef struct {
    void *context;
    // Waits for a byte of input: 1 for a byte, 0 at the end, -1 to give up the line.
    int (*read)(void *context, unsigned char *byte);
    // Called for Tab; may insert, delete, write to the terminal and redraw.
    void (*complete)(void *context);
} cle_callbacks;

// An editor on stdin and stdout with this many lines of history; NULL without libedit or terminal.
cle_editor *cle_open(const char *program, cle_callbacks callbacks, int history_size);

// Reads a line without its end; the caller frees it. NULL at the end, or for a line given up.
char *cle_read_line(cle_editor *editor, const char *prompt);
// Adds a line to the history of the arrow keys.
void cle_remember(cle_editor *editor, const char *line);

// The text so far, and the cursor's place in it in bytes; valid until the next call. For callbacks.
const char *cle_line(cle_editor *editor, size_t *length, size_t *cursor);
// Inserts text at the cursor.
void cle_insert(cle_editor *editor, const char *text);
// Deletes this many characters before the cursor.
void cle_delete(cle_editor *editor, int count);
// Redraws the prompt and the line in the row of the terminal's cursor.
void cle_redraw(cle_editor *editor);
// Handles a new size of the terminal.
void cle_resize(cle_editor *editor);
// Restores the terminal's usual settings, or sets the editor's again.
void cle_hold_terminal(cle_editor *editor, bool holds);

// The columns of the terminal at stdout; 0 if it is not a terminal or the size is unknown.
int cle_columns(void);

// Its rows, in the same way.
int cle_rows(void);

#endif
