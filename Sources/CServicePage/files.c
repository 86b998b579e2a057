// Written by Scripts/embed.

#include "service_page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "page/client.js"
};

static const unsigned char file_1[] = {
#embed "page/fleet.css"
};

static const unsigned char file_2[] = {
#embed "page/fleet.html"
};

static const unsigned char file_3[] = {
#embed "page/fleet.js"
};

static const unsigned char file_4[] = {
#embed "page/inspected.js"
};

static const unsigned char file_5[] = {
#embed "page/openapi.json"
};

static const unsigned char file_6[] = {
#embed "page/said.js"
};

static const unsigned char file_7[] = {
#embed "page/service.js"
};

static const service_page_file files[] = {
    {"client.js", file_0, sizeof file_0},
    {"fleet.css", file_1, sizeof file_1},
    {"fleet.html", file_2, sizeof file_2},
    {"fleet.js", file_3, sizeof file_3},
    {"inspected.js", file_4, sizeof file_4},
    {"openapi.json", file_5, sizeof file_5},
    {"said.js", file_6, sizeof file_6},
    {"service.js", file_7, sizeof file_7},
};

const service_page_file *service_page_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
