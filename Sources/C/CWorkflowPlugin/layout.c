// The layout of the tables is the interface. These assertions fail if it changes by accident.

#include "workflow_plugin.h"
#include "workflow_value.h"

_Static_assert(sizeof(void *) == 8, "plugins are for 64-bit platforms");
_Static_assert(
    offsetof(workflow_host, identity) == 80, "version 1 of the host's table, as it was first");
_Static_assert(offsetof(workflow_host, forget) == 88, "with the identity of a run");
_Static_assert(sizeof(workflow_host) == 96, "version 1 of the host's table");
_Static_assert(sizeof(workflow_worker) == 80, "version 1 of a worker's table");
_Static_assert(sizeof(workflow_plugin) == 40, "version 1 of a plugin's table");
