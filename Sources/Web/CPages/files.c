// Written by Scripts/embed.

#include "pages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "inspector/ask.js"
};

static const unsigned char file_1[] = {
#embed "inspector/bar.js"
};

static const unsigned char file_2[] = {
#embed "inspector/base.css"
};

static const unsigned char file_3[] = {
#embed "inspector/changes.js"
};

static const unsigned char file_4[] = {
#embed "inspector/commands.js"
};

static const unsigned char file_5[] = {
#embed "inspector/dom.js"
};

static const unsigned char file_6[] = {
#embed "inspector/errors.js"
};

static const unsigned char file_7[] = {
#embed "inspector/formats.js"
};

static const unsigned char file_8[] = {
#embed "inspector/forms.js"
};

static const unsigned char file_9[] = {
#embed "inspector/hints.js"
};

static const unsigned char file_10[] = {
#embed "inspector/index.html"
};

static const unsigned char file_11[] = {
#embed "inspector/inspect.js"
};

static const unsigned char file_12[] = {
#embed "inspector/inspector.js"
};

static const unsigned char file_13[] = {
#embed "inspector/json.js"
};

static const unsigned char file_14[] = {
#embed "inspector/lanes.js"
};

static const unsigned char file_15[] = {
#embed "inspector/list.js"
};

static const unsigned char file_16[] = {
#embed "inspector/main.js"
};

static const unsigned char file_17[] = {
#embed "inspector/moments.js"
};

static const unsigned char file_18[] = {
#embed "inspector/offline.js"
};

static const unsigned char file_19[] = {
#embed "inspector/page.js"
};

static const unsigned char file_20[] = {
#embed "inspector/palette.js"
};

static const unsigned char file_21[] = {
#embed "inspector/panel.js"
};

static const unsigned char file_22[] = {
#embed "inspector/path.js"
};

static const unsigned char file_23[] = {
#embed "inspector/play.css"
};

static const unsigned char file_24[] = {
#embed "inspector/play.html"
};

static const unsigned char file_25[] = {
#embed "inspector/play.js"
};

static const unsigned char file_26[] = {
#embed "inspector/protocol.js"
};

static const unsigned char file_27[] = {
#embed "inspector/rendering.css"
};

static const unsigned char file_28[] = {
#embed "inspector/rendering.js"
};

static const unsigned char file_29[] = {
#embed "inspector/save.js"
};

static const unsigned char file_30[] = {
#embed "inspector/saved.js"
};

static const unsigned char file_31[] = {
#embed "inspector/states.js"
};

static const unsigned char file_32[] = {
#embed "inspector/store.js"
};

static const unsigned char file_33[] = {
#embed "inspector/style.css"
};

static const unsigned char file_34[] = {
#embed "inspector/tables.js"
};

static const unsigned char file_35[] = {
#embed "inspector/timeline.js"
};

static const unsigned char file_36[] = {
#embed "inspector/times.js"
};

static const unsigned char file_37[] = {
#embed "inspector/tree.js"
};

static const unsigned char file_38[] = {
#embed "inspector/value.js"
};

static const unsigned char file_39[] = {
#embed "inspector/words.js"
};

static const page_file inspector_files[] = {
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

const page_file *inspector_file_at(size_t index) {
    size_t count = sizeof inspector_files / sizeof inspector_files[0];
    return index < count ? &inspector_files[index] : NULL;
}

static const unsigned char file_40[] = {
#embed "service/client.js"
};

static const unsigned char file_41[] = {
#embed "service/fleet.css"
};

static const unsigned char file_42[] = {
#embed "service/fleet.html"
};

static const unsigned char file_43[] = {
#embed "service/fleet.js"
};

static const unsigned char file_44[] = {
#embed "service/inspected.js"
};

static const unsigned char file_45[] = {
#embed "service/openapi.json"
};

static const unsigned char file_46[] = {
#embed "service/said.js"
};

static const unsigned char file_47[] = {
#embed "service/service.js"
};

static const page_file service_files[] = {
    {"client.js", file_40, sizeof file_40},
    {"fleet.css", file_41, sizeof file_41},
    {"fleet.html", file_42, sizeof file_42},
    {"fleet.js", file_43, sizeof file_43},
    {"inspected.js", file_44, sizeof file_44},
    {"openapi.json", file_45, sizeof file_45},
    {"said.js", file_46, sizeof file_46},
    {"service.js", file_47, sizeof file_47},
};

const page_file *service_file_at(size_t index) {
    size_t count = sizeof service_files / sizeof service_files[0];
    return index < count ? &service_files[index] : NULL;
}
