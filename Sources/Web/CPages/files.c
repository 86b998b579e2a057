// Written by Scripts/embed.

#include "pages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const page_file inspector_files[] = {
    {"ask.js", (const unsigned char[]){
#embed "inspector/ask.js" suffix(, 0)
    }},
    {"bar.js", (const unsigned char[]){
#embed "inspector/bar.js" suffix(, 0)
    }},
    {"base.css", (const unsigned char[]){
#embed "inspector/base.css" suffix(, 0)
    }},
    {"changes.js", (const unsigned char[]){
#embed "inspector/changes.js" suffix(, 0)
    }},
    {"commands.js", (const unsigned char[]){
#embed "inspector/commands.js" suffix(, 0)
    }},
    {"dom.js", (const unsigned char[]){
#embed "inspector/dom.js" suffix(, 0)
    }},
    {"errors.js", (const unsigned char[]){
#embed "inspector/errors.js" suffix(, 0)
    }},
    {"formats.js", (const unsigned char[]){
#embed "inspector/formats.js" suffix(, 0)
    }},
    {"forms.js", (const unsigned char[]){
#embed "inspector/forms.js" suffix(, 0)
    }},
    {"hints.js", (const unsigned char[]){
#embed "inspector/hints.js" suffix(, 0)
    }},
    {"index.html", (const unsigned char[]){
#embed "inspector/index.html" suffix(, 0)
    }},
    {"inspect.js", (const unsigned char[]){
#embed "inspector/inspect.js" suffix(, 0)
    }},
    {"inspector.js", (const unsigned char[]){
#embed "inspector/inspector.js" suffix(, 0)
    }},
    {"json.js", (const unsigned char[]){
#embed "inspector/json.js" suffix(, 0)
    }},
    {"lanes.js", (const unsigned char[]){
#embed "inspector/lanes.js" suffix(, 0)
    }},
    {"list.js", (const unsigned char[]){
#embed "inspector/list.js" suffix(, 0)
    }},
    {"main.js", (const unsigned char[]){
#embed "inspector/main.js" suffix(, 0)
    }},
    {"moments.js", (const unsigned char[]){
#embed "inspector/moments.js" suffix(, 0)
    }},
    {"offline.js", (const unsigned char[]){
#embed "inspector/offline.js" suffix(, 0)
    }},
    {"page.js", (const unsigned char[]){
#embed "inspector/page.js" suffix(, 0)
    }},
    {"palette.js", (const unsigned char[]){
#embed "inspector/palette.js" suffix(, 0)
    }},
    {"panel.js", (const unsigned char[]){
#embed "inspector/panel.js" suffix(, 0)
    }},
    {"path.js", (const unsigned char[]){
#embed "inspector/path.js" suffix(, 0)
    }},
    {"play.css", (const unsigned char[]){
#embed "inspector/play.css" suffix(, 0)
    }},
    {"play.html", (const unsigned char[]){
#embed "inspector/play.html" suffix(, 0)
    }},
    {"play.js", (const unsigned char[]){
#embed "inspector/play.js" suffix(, 0)
    }},
    {"protocol.js", (const unsigned char[]){
#embed "inspector/protocol.js" suffix(, 0)
    }},
    {"rendering.css", (const unsigned char[]){
#embed "inspector/rendering.css" suffix(, 0)
    }},
    {"rendering.js", (const unsigned char[]){
#embed "inspector/rendering.js" suffix(, 0)
    }},
    {"save.js", (const unsigned char[]){
#embed "inspector/save.js" suffix(, 0)
    }},
    {"saved.js", (const unsigned char[]){
#embed "inspector/saved.js" suffix(, 0)
    }},
    {"states.js", (const unsigned char[]){
#embed "inspector/states.js" suffix(, 0)
    }},
    {"store.js", (const unsigned char[]){
#embed "inspector/store.js" suffix(, 0)
    }},
    {"style.css", (const unsigned char[]){
#embed "inspector/style.css" suffix(, 0)
    }},
    {"tables.js", (const unsigned char[]){
#embed "inspector/tables.js" suffix(, 0)
    }},
    {"timeline.js", (const unsigned char[]){
#embed "inspector/timeline.js" suffix(, 0)
    }},
    {"times.js", (const unsigned char[]){
#embed "inspector/times.js" suffix(, 0)
    }},
    {"tree.js", (const unsigned char[]){
#embed "inspector/tree.js" suffix(, 0)
    }},
    {"value.js", (const unsigned char[]){
#embed "inspector/value.js" suffix(, 0)
    }},
    {"words.js", (const unsigned char[]){
#embed "inspector/words.js" suffix(, 0)
    }},
};

const page_file *workflow_inspector_file_at(size_t index) {
    size_t count = sizeof inspector_files / sizeof inspector_files[0];
    return index < count ? &inspector_files[index] : NULL;
}

static const page_file service_files[] = {
    {"client.js", (const unsigned char[]){
#embed "service/client.js" suffix(, 0)
    }},
    {"fleet.css", (const unsigned char[]){
#embed "service/fleet.css" suffix(, 0)
    }},
    {"fleet.html", (const unsigned char[]){
#embed "service/fleet.html" suffix(, 0)
    }},
    {"fleet.js", (const unsigned char[]){
#embed "service/fleet.js" suffix(, 0)
    }},
    {"inspected.js", (const unsigned char[]){
#embed "service/inspected.js" suffix(, 0)
    }},
    {"openapi.json", (const unsigned char[]){
#embed "service/openapi.json" suffix(, 0)
    }},
    {"said.js", (const unsigned char[]){
#embed "service/said.js" suffix(, 0)
    }},
    {"service.js", (const unsigned char[]){
#embed "service/service.js" suffix(, 0)
    }},
};

const page_file *workflow_service_file_at(size_t index) {
    size_t count = sizeof service_files / sizeof service_files[0];
    return index < count ? &service_files[index] : NULL;
}
