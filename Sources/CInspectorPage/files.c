// Written by Scripts/embed.

#include "inspector_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "page/base.css"
};

static const unsigned char file_1[] = {
#embed "page/dom.js"
};

static const unsigned char file_2[] = {
#embed "page/forms.js"
};

static const unsigned char file_3[] = {
#embed "page/index.html"
};

static const unsigned char file_4[] = {
#embed "page/json.js"
};

static const unsigned char file_5[] = {
#embed "page/moments.js"
};

static const unsigned char file_6[] = {
#embed "page/offline.js"
};

static const unsigned char file_7[] = {
#embed "page/path.js"
};

static const unsigned char file_8[] = {
#embed "page/play.css"
};

static const unsigned char file_9[] = {
#embed "page/play.html"
};

static const unsigned char file_10[] = {
#embed "page/play.js"
};

static const unsigned char file_11[] = {
#embed "page/protocol.js"
};

static const unsigned char file_12[] = {
#embed "page/rendering.css"
};

static const unsigned char file_13[] = {
#embed "page/rendering.js"
};

static const unsigned char file_14[] = {
#embed "page/save.js"
};

static const inspector_page_file files[] = {
    {"base.css", file_0, sizeof file_0},
    {"dom.js", file_1, sizeof file_1},
    {"forms.js", file_2, sizeof file_2},
    {"index.html", file_3, sizeof file_3},
    {"json.js", file_4, sizeof file_4},
    {"moments.js", file_5, sizeof file_5},
    {"offline.js", file_6, sizeof file_6},
    {"path.js", file_7, sizeof file_7},
    {"play.css", file_8, sizeof file_8},
    {"play.html", file_9, sizeof file_9},
    {"play.js", file_10, sizeof file_10},
    {"protocol.js", file_11, sizeof file_11},
    {"rendering.css", file_12, sizeof file_12},
    {"rendering.js", file_13, sizeof file_13},
    {"save.js", file_14, sizeof file_14},
};

const inspector_page_file *inspector_page_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
