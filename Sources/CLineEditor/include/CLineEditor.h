#ifndef CLINEEDITOR_H
#define CLINEEDITOR_H

#include <stdbool.h>
#include <stddef.h>

// Line editing by libedit, which is loaded when an editor is made. A program that is built without its header, or
// runs where it is not installed, reads plain lines. An editor is used by the thread that makes it.
typedef struct cle_editor cle_editor;

typedef struct {
    void *context;
    // Waits for one byte of input: 1 if there is one, 0 at the end, -1 to give the line up.
    int (*read)(void *context, unsigned char *byte);
    // Called for Tab; may insert and delete, write to the terminal and redraw.
    void (*complete)(void *context);
} cle_callbacks;

// An editor on stdin and stdout that remembers this many lines; NULL without libedit, or if the terminal cannot do it.
cle_editor *cle_open(const char *program, cle_callbacks callbacks, int history_size);

// Reads a line without its end, to be freed; NULL at the end of the input or if the line was given up.
char *cle_read_line(cle_editor *editor, const char *prompt);
// Adds a line to what the arrow keys bring back.
void cle_remember(cle_editor *editor, const char *line);

// What is typed so far, and the cursor's place in it in bytes; valid until the next call. For use in callbacks.
const char *cle_line(cle_editor *editor, size_t *length, size_t *cursor);
// Inserts text at the cursor.
void cle_insert(cle_editor *editor, const char *text);
// Deletes this many characters before the cursor.
void cle_delete(cle_editor *editor, int count);
// Draws the prompt and the line again, on the row where the terminal's cursor is.
void cle_redraw(cle_editor *editor);
// Takes note of a new size of the terminal.
void cle_resize(cle_editor *editor);
// Gives the terminal back to its usual settings, or takes it again.
void cle_hold_terminal(cle_editor *editor, bool holds);

// The columns of the terminal that stdout is; 0 if it is none or does not say.
int cle_columns(void);

#endif
