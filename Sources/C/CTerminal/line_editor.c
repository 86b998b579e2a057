#define _GNU_SOURCE
#include "line_editor.h"

#include <sys/ioctl.h>
#include <unistd.h>

int cle_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int cle_rows(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

#if __has_include(<histedit.h>)

#include <dlfcn.h>
#include <histedit.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// The functions of the loaded library.
static struct {
    __typeof__(&el_init) init;
    __typeof__(&el_end) end;
    __typeof__(&el_gets) gets;
    __typeof__(&el_set) set;
    __typeof__(&el_get) get;
    __typeof__(&el_source) source;
    __typeof__(&el_resize) resize;
    __typeof__(&el_line) line;
    __typeof__(&el_insertstr) insert;
    __typeof__(&el_deletestr) delete;
    __typeof__(&history_init) history_init;
    __typeof__(&history_end) history_end;
    __typeof__(&history) history;
} lib;

struct cle_editor {
    EditLine *el;
    History *history;
    cle_callbacks callbacks;
    const char *prompt;
    // While a text is pasted a tab is text.
    bool is_pasting;
    // A tab that follows the key that quotes it.
    bool has_tab;
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

// A UTF-8 locale for a thread. The process's locale stays, as Lua's letters must not depend on it.
static locale_t utf8_locale(void) {
    pthread_once(&locale_once, make_locale);
    return utf8 ? utf8 : LC_GLOBAL_LOCALE;
}

static cle_editor *editor_of(EditLine *el) {
    void *data = NULL;
    lib.get(el, EL_CLIENTDATA, &data);
    return data;
}

static const char *prompt(EditLine *el) { return editor_of(el)->prompt; }

static unsigned char complete(EditLine *el, int key) {
    (void)key;
    cle_editor *editor = editor_of(el);
    editor->callbacks.complete(editor->callbacks.context);
    return CC_REFRESH;
}

// Inserts the next character as it is.
static const wchar_t quote_key = 0x16;

static unsigned char begin_paste(EditLine *el, int key) {
    (void)key;
    editor_of(el)->is_pasting = true;
    return CC_NORM;
}

static unsigned char end_paste(EditLine *el, int key) {
    (void)key;
    editor_of(el)->is_pasting = false;
    return CC_NORM;
}

static int read_character(EditLine *el, wchar_t *character) {
    cle_editor *editor = editor_of(el);
    if (editor->has_tab) {
        editor->has_tab = false;
        *character = L'\t';
        return 1;
    }
    mbstate_t state = {0};
    while (true) {
        unsigned char byte = 0;
        int count = editor->callbacks.read(editor->callbacks.context, &byte);
        if (count <= 0) return count;
        switch (mbrtowc(character, (const char *)&byte, 1, &state)) {
        case (size_t)-2: continue;
        case (size_t)-1:
            // Skips an invalid character and continues after it.
            state = (mbstate_t){0};
            continue;
        default:
            if (*character == L'\t' && editor->is_pasting) {
                editor->has_tab = true;
                *character = quote_key;
            }
            return 1;
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
        {"^V", "ed-quoted-insert"},
        {"\\e[200~", "workflow-begin-paste"},
        {"\\e[201~", "workflow-end-paste"},
    };
    lib.set(el, EL_ADDFN, "workflow-complete", "Complete what is typed", complete);
    lib.set(el, EL_ADDFN, "workflow-begin-paste", "What follows is pasted", begin_paste);
    lib.set(el, EL_ADDFN, "workflow-end-paste", "What was pasted ends", end_paste);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        lib.set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

static void close_editor(cle_editor *editor) {
    if (editor->el) lib.end(editor->el);
    if (editor->history) lib.history_end(editor->history);
    free(editor);
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
        close_editor(editor);
        return NULL;
    }
    HistEvent event;
    lib.history(editor->history, &event, H_SETSIZE, history_size);
    // A line repeated at once is remembered once.
    lib.history(editor->history, &event, H_SETUNIQUE, 1);
    lib.set(editor->el, EL_CLIENTDATA, editor);
    lib.set(editor->el, EL_PROMPT, prompt);
    lib.set(editor->el, EL_EDITOR, "emacs");
    lib.set(editor->el, EL_HIST, lib.history, editor->history);
    lib.set(editor->el, EL_GETCFN, read_character);
    bind_keys(editor->el);
    // The user's ~/.editrc overrides the bindings above.
    lib.source(editor->el, NULL);
    return editor;
}

char *cle_read_line(cle_editor *editor, const char *prompt) {
    editor->prompt = prompt;
    // Before the prompt is shown. Otherwise the terminal would also echo what is typed in between.
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

void cle_insert(cle_editor *editor, const char *text) { lib.insert(editor->el, text); }

void cle_delete(cle_editor *editor, int count) {
    if (count > 0) lib.delete(editor->el, count);
}

void cle_redraw(cle_editor *editor) { lib.set(editor->el, EL_REFRESH); }

void cle_resize(cle_editor *editor) { lib.resize(editor->el); }

void cle_hold_terminal(cle_editor *editor, bool holds) {
    lib.set(editor->el, EL_PREP_TERM, (int)holds);
}

#else

// Built without libedit's header: the terminal's own line editing is used. No editor is ever
// created, so the other functions are never called.
cle_editor *cle_open(const char *program, cle_callbacks callbacks, int history_size) {
    (void)program, (void)callbacks, (void)history_size;
    return 0;
}
char *cle_read_line(cle_editor *editor, const char *prompt) {
    return (void)editor, (void)prompt, (char *)0;
}
void cle_remember(cle_editor *editor, const char *line) { (void)editor, (void)line; }
const char *cle_line(cle_editor *editor, size_t *length, size_t *cursor) {
    (void)editor, (void)length, (void)cursor;
    return 0;
}
void cle_insert(cle_editor *editor, const char *text) { (void)editor, (void)text; }
void cle_delete(cle_editor *editor, int count) { (void)editor, (void)count; }
void cle_redraw(cle_editor *editor) { (void)editor; }
void cle_resize(cle_editor *editor) { (void)editor; }
void cle_hold_terminal(cle_editor *editor, bool holds) { (void)editor, (void)holds; }

#endif
