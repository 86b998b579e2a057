#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/// Makes the pipe into which signals are written, and gives its end for reading, which does not
/// block; -1 if there are no files left. To be called once.
int workflow_signals_open(void);

/// Has a signal written into the pipe, as a byte that is its number, in place of its action.
bool workflow_signals_take(int number);

#endif
