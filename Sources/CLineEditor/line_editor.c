#define _GNU_SOURCE
#include "CLineEditor.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// What is used of <histedit.h>, whose numbers are part of the library's binary interface.
typedef struct editline EditLine;
typedef struct history History;
typedef struct {
    const char *buffer, *cursor, *lastchar;
} LineInfo;
typedef struct {
    int num;
    const char *str;
} HistEvent;

enum {
    EL_PROMPT = 0,
    EL_EDITOR = 2,
    EL_BIND = 4,
    EL_ADDFN = 9,
    EL_HIST = 10,
    EL_GETCFN = 13,
    EL_CLIENTDATA = 14,
    EL_PREP_TERM = 16,
    EL_REFRESH = 20,
};
enum { H_SETSIZE = 1, H_ENTER = 10, H_SETUNIQUE = 20 };
enum { CC_REFRESH = 4 };

static struct {
    EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
    void (*end)(EditLine *);
    const char *(*gets)(EditLine *, int *);
    int (*set)(EditLine *, int, ...);
    int (*get)(EditLine *, int, ...);
    int (*source)(EditLine *, const char *);
    void (*resize)(EditLine *);
    const LineInfo *(*line)(EditLine *);
    int (*insert)(EditLine *, const char *);
    void (*delete)(EditLine *, int);
    History *(*history_init)(void);
    void (*history_end)(History *);
    int (*history)(History *, HistEvent *, int, ...);
} lib;

struct cle_editor {
    EditLine *el;
    History *history;
    cle_callbacks callbacks;
    const char *prompt;
};

static bool load_library(void) {
    static const char *const names[] = {
        "libedit.so.2", "libedit.so.0", "libedit.so", "libedit.3.dylib", "/usr/lib/libedit.3.dylib",
    };
    void *handle = NULL;
    for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++)
        handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    const struct {
        void *place;
        const char *name;
    } functions[] = {
        {&lib.init, "el_init"}, {&lib.end, "el_end"}, {&lib.gets, "el_gets"}, {&lib.set, "el_set"},
        {&lib.get, "el_get"}, {&lib.source, "el_source"}, {&lib.resize, "el_resize"},
        {&lib.line, "el_line"}, {&lib.insert, "el_insertstr"}, {&lib.delete, "el_deletestr"},
        {&lib.history_init, "history_init"}, {&lib.history_end, "history_end"},
        {&lib.history, "history"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(handle, functions[i].name);
        if (!found) return false;
        memcpy(functions[i].place, &found, sizeof found);
    }
    return true;
}

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t utf8;

static void make_locale(void) {
    static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
    for (size_t i = 0; !utf8 && i < sizeof names / sizeof *names; i++)
        utf8 = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
}

// A locale whose characters are UTF-8, for a thread. The one of the process stays as it is: what Lua takes for a letter
// must not depend on the machine.
static locale_t utf8_locale(void) {
    pthread_once(&locale_once, make_locale);
    return utf8 ? utf8 : LC_GLOBAL_LOCALE;
}

static cle_editor *editor_of(EditLine *el) {
    void *data = NULL;
    lib.get(el, EL_CLIENTDATA, &data);
    return data;
}

static const char *prompt(EditLine *el) {
    return editor_of(el)->prompt;
}

static unsigned char complete(EditLine *el, int key) {
    (void)key;
    cle_editor *editor = editor_of(el);
    editor->callbacks.complete(editor->callbacks.context);
    return CC_REFRESH;
}

static int read_character(EditLine *el, wchar_t *character) {
    cle_editor *editor = editor_of(el);
    mbstate_t state = {0};
    while (true) {
        unsigned char byte = 0;
        int count = editor->callbacks.read(editor->callbacks.context, &byte);
        if (count <= 0) return count;
        switch (mbrtowc(character, (const char *)&byte, 1, &state)) {
        case (size_t)-2: continue;
        case (size_t)-1:
            // No character: it is left out, and what follows is read anew.
            state = (mbstate_t){0};
            continue;
        default: return 1;
        }
    }
}

static void bind_keys(EditLine *el) {
    static const char *const keys[][2] = {
        {"^I", "workflow-complete"},
        {"^R", "em-inc-search-prev"},
        {"^W", "ed-delete-prev-word"},
        {"\\e[H", "ed-move-to-beg"},
        {"\\eOH", "ed-move-to-beg"},
        {"\\e[1~", "ed-move-to-beg"},
        {"\\e[F", "ed-move-to-end"},
        {"\\eOF", "ed-move-to-end"},
        {"\\e[4~", "ed-move-to-end"},
        {"\\e[3~", "ed-delete-next-char"},
        {"\\e[1;5C", "em-next-word"},
        {"\\e[1;5D", "ed-prev-word"},
    };
    lib.set(el, EL_ADDFN, "workflow-complete", "Complete what is typed", complete);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        lib.set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

cle_editor *cle_open(const char *program, cle_callbacks callbacks, int history_size) {
    if (!load_library()) return NULL;
    uselocale(utf8_locale());
    cle_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->callbacks = callbacks;
    editor->prompt = "";
    editor->el = lib.init(program, stdin, stdout, stderr);
    editor->history = lib.history_init();
    if (!editor->el || !editor->history) {
        cle_close(editor);
        return NULL;
    }
    HistEvent event;
    lib.history(editor->history, &event, H_SETSIZE, history_size);
    // The same line twice in a row is remembered once.
    lib.history(editor->history, &event, H_SETUNIQUE, 1);
    lib.set(editor->el, EL_CLIENTDATA, editor);
    lib.set(editor->el, EL_PROMPT, prompt);
    lib.set(editor->el, EL_EDITOR, "emacs");
    lib.set(editor->el, EL_HIST, lib.history, editor->history);
    lib.set(editor->el, EL_GETCFN, read_character);
    bind_keys(editor->el);
    // The user's ~/.editrc, after the bindings above, so that it has the last word.
    lib.source(editor->el, NULL);
    return editor;
}

void cle_close(cle_editor *editor) {
    if (!editor) return;
    if (editor->el) lib.end(editor->el);
    if (editor->history) lib.history_end(editor->history);
    free(editor);
}

char *cle_read_line(cle_editor *editor, const char *prompt) {
    editor->prompt = prompt;
    // Before the prompt is seen: what is typed between the two would be echoed by the terminal, too.
    lib.set(editor->el, EL_PREP_TERM, 1);
    int count = 0;
    const char *line = lib.gets(editor->el, &count);
    editor->prompt = "";
    if (!line || count <= 0) return NULL;
    if (line[count - 1] == '\n') count--;
    return strndup(line, (size_t)count);
}

void cle_remember(cle_editor *editor, const char *line) {
    HistEvent event;
    lib.history(editor->history, &event, H_ENTER, line);
}

const char *cle_line(cle_editor *editor, size_t *length, size_t *cursor) {
    const LineInfo *line = lib.line(editor->el);
    *length = (size_t)(line->lastchar - line->buffer);
    *cursor = (size_t)(line->cursor - line->buffer);
    return line->buffer;
}

void cle_insert(cle_editor *editor, const char *text) {
    lib.insert(editor->el, text);
}

void cle_delete(cle_editor *editor, int count) {
    if (count > 0) lib.delete(editor->el, count);
}

void cle_redraw(cle_editor *editor) {
    lib.set(editor->el, EL_REFRESH);
}

void cle_resize(cle_editor *editor) {
    lib.resize(editor->el);
}

void cle_hold_terminal(cle_editor *editor, bool holds) {
    lib.set(editor->el, EL_PREP_TERM, (int)holds);
}

int cle_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
