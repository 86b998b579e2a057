// Written by Scripts/embed.

#include "inspector_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "page/ask.js"
};

static const unsigned char file_1[] = {
#embed "page/bar.js"
};

static const unsigned char file_2[] = {
#embed "page/base.css"
};

static const unsigned char file_3[] = {
#embed "page/changes.js"
};

static const unsigned char file_4[] = {
#embed "page/dom.js"
};

static const unsigned char file_5[] = {
#embed "page/errors.js"
};

static const unsigned char file_6[] = {
#embed "page/formats.js"
};

static const unsigned char file_7[] = {
#embed "page/forms.js"
};

static const unsigned char file_8[] = {
#embed "page/hints.js"
};

static const unsigned char file_9[] = {
#embed "page/index.html"
};

static const unsigned char file_10[] = {
#embed "page/inspect.js"
};

static const unsigned char file_11[] = {
#embed "page/inspector.js"
};

static const unsigned char file_12[] = {
#embed "page/json.js"
};

static const unsigned char file_13[] = {
#embed "page/list.js"
};

static const unsigned char file_14[] = {
#embed "page/main.js"
};

static const unsigned char file_15[] = {
#embed "page/moments.js"
};

static const unsigned char file_16[] = {
#embed "page/offline.js"
};

static const unsigned char file_17[] = {
#embed "page/page.js"
};

static const unsigned char file_18[] = {
#embed "page/panel.js"
};

static const unsigned char file_19[] = {
#embed "page/path.js"
};

static const unsigned char file_20[] = {
#embed "page/play.css"
};

static const unsigned char file_21[] = {
#embed "page/play.html"
};

static const unsigned char file_22[] = {
#embed "page/play.js"
};

static const unsigned char file_23[] = {
#embed "page/protocol.js"
};

static const unsigned char file_24[] = {
#embed "page/rendering.css"
};

static const unsigned char file_25[] = {
#embed "page/rendering.js"
};

static const unsigned char file_26[] = {
#embed "page/save.js"
};

static const unsigned char file_27[] = {
#embed "page/saved.js"
};

static const unsigned char file_28[] = {
#embed "page/store.js"
};

static const unsigned char file_29[] = {
#embed "page/style.css"
};

static const unsigned char file_30[] = {
#embed "page/tables.js"
};

static const unsigned char file_31[] = {
#embed "page/timeline.js"
};

static const unsigned char file_32[] = {
#embed "page/tree.js"
};

static const unsigned char file_33[] = {
#embed "page/value.js"
};

static const unsigned char file_34[] = {
#embed "page/words.js"
};

static const inspector_page_file files[] = {
    {"ask.js", file_0, sizeof file_0},
    {"bar.js", file_1, sizeof file_1},
    {"base.css", file_2, sizeof file_2},
    {"changes.js", file_3, sizeof file_3},
    {"dom.js", file_4, sizeof file_4},
    {"errors.js", file_5, sizeof file_5},
    {"formats.js", file_6, sizeof file_6},
    {"forms.js", file_7, sizeof file_7},
    {"hints.js", file_8, sizeof file_8},
    {"index.html", file_9, sizeof file_9},
    {"inspect.js", file_10, sizeof file_10},
    {"inspector.js", file_11, sizeof file_11},
    {"json.js", file_12, sizeof file_12},
    {"list.js", file_13, sizeof file_13},
    {"main.js", file_14, sizeof file_14},
    {"moments.js", file_15, sizeof file_15},
    {"offline.js", file_16, sizeof file_16},
    {"page.js", file_17, sizeof file_17},
    {"panel.js", file_18, sizeof file_18},
    {"path.js", file_19, sizeof file_19},
    {"play.css", file_20, sizeof file_20},
    {"play.html", file_21, sizeof file_21},
    {"play.js", file_22, sizeof file_22},
    {"protocol.js", file_23, sizeof file_23},
    {"rendering.css", file_24, sizeof file_24},
    {"rendering.js", file_25, sizeof file_25},
    {"save.js", file_26, sizeof file_26},
    {"saved.js", file_27, sizeof file_27},
    {"store.js", file_28, sizeof file_28},
    {"style.css", file_29, sizeof file_29},
    {"tables.js", file_30, sizeof file_30},
    {"timeline.js", file_31, sizeof file_31},
    {"tree.js", file_32, sizeof file_32},
    {"value.js", file_33, sizeof file_33},
    {"words.js", file_34, sizeof file_34},
};

const inspector_page_file *inspector_page_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
