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
#embed "page/commands.js"
};

static const unsigned char file_5[] = {
#embed "page/dom.js"
};

static const unsigned char file_6[] = {
#embed "page/errors.js"
};

static const unsigned char file_7[] = {
#embed "page/formats.js"
};

static const unsigned char file_8[] = {
#embed "page/forms.js"
};

static const unsigned char file_9[] = {
#embed "page/hints.js"
};

static const unsigned char file_10[] = {
#embed "page/index.html"
};

static const unsigned char file_11[] = {
#embed "page/inspect.js"
};

static const unsigned char file_12[] = {
#embed "page/inspector.js"
};

static const unsigned char file_13[] = {
#embed "page/json.js"
};

static const unsigned char file_14[] = {
#embed "page/lanes.js"
};

static const unsigned char file_15[] = {
#embed "page/list.js"
};

static const unsigned char file_16[] = {
#embed "page/main.js"
};

static const unsigned char file_17[] = {
#embed "page/moments.js"
};

static const unsigned char file_18[] = {
#embed "page/offline.js"
};

static const unsigned char file_19[] = {
#embed "page/page.js"
};

static const unsigned char file_20[] = {
#embed "page/palette.js"
};

static const unsigned char file_21[] = {
#embed "page/panel.js"
};

static const unsigned char file_22[] = {
#embed "page/path.js"
};

static const unsigned char file_23[] = {
#embed "page/play.css"
};

static const unsigned char file_24[] = {
#embed "page/play.html"
};

static const unsigned char file_25[] = {
#embed "page/play.js"
};

static const unsigned char file_26[] = {
#embed "page/protocol.js"
};

static const unsigned char file_27[] = {
#embed "page/rendering.css"
};

static const unsigned char file_28[] = {
#embed "page/rendering.js"
};

static const unsigned char file_29[] = {
#embed "page/save.js"
};

static const unsigned char file_30[] = {
#embed "page/saved.js"
};

static const unsigned char file_31[] = {
#embed "page/states.js"
};

static const unsigned char file_32[] = {
#embed "page/store.js"
};

static const unsigned char file_33[] = {
#embed "page/style.css"
};

static const unsigned char file_34[] = {
#embed "page/tables.js"
};

static const unsigned char file_35[] = {
#embed "page/timeline.js"
};

static const unsigned char file_36[] = {
#embed "page/times.js"
};

static const unsigned char file_37[] = {
#embed "page/tree.js"
};

static const unsigned char file_38[] = {
#embed "page/value.js"
};

static const unsigned char file_39[] = {
#embed "page/words.js"
};

static const inspector_page_file files[] = {
    {"ask.js", file_0, sizeof file_0},
    {"bar.js", file_1, sizeof file_1},
    {"base.css", file_2, sizeof file_2},
    {"changes.js", file_3, sizeof file_3},
    {"commands.js", file_4, sizeof file_4},
    {"dom.js", file_5, sizeof file_5},
    {"errors.js", file_6, sizeof file_6},
    {"formats.js", file_7, sizeof file_7},
    {"forms.js", file_8, sizeof file_8},
    {"hints.js", file_9, sizeof file_9},
    {"index.html", file_10, sizeof file_10},
    {"inspect.js", file_11, sizeof file_11},
    {"inspector.js", file_12, sizeof file_12},
    {"json.js", file_13, sizeof file_13},
    {"lanes.js", file_14, sizeof file_14},
    {"list.js", file_15, sizeof file_15},
    {"main.js", file_16, sizeof file_16},
    {"moments.js", file_17, sizeof file_17},
    {"offline.js", file_18, sizeof file_18},
    {"page.js", file_19, sizeof file_19},
    {"palette.js", file_20, sizeof file_20},
    {"panel.js", file_21, sizeof file_21},
    {"path.js", file_22, sizeof file_22},
    {"play.css", file_23, sizeof file_23},
    {"play.html", file_24, sizeof file_24},
    {"play.js", file_25, sizeof file_25},
    {"protocol.js", file_26, sizeof file_26},
    {"rendering.css", file_27, sizeof file_27},
    {"rendering.js", file_28, sizeof file_28},
    {"save.js", file_29, sizeof file_29},
    {"saved.js", file_30, sizeof file_30},
    {"states.js", file_31, sizeof file_31},
    {"store.js", file_32, sizeof file_32},
    {"style.css", file_33, sizeof file_33},
    {"tables.js", file_34, sizeof file_34},
    {"timeline.js", file_35, sizeof file_35},
    {"times.js", file_36, sizeof file_36},
    {"tree.js", file_37, sizeof file_37},
    {"value.js", file_38, sizeof file_38},
    {"words.js", file_39, sizeof file_39},
};

const inspector_page_file *inspector_page_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
