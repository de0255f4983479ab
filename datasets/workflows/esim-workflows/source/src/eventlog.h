#ifndef ESIM_EVENTLOG_H
#define ESIM_EVENTLOG_H

#include <stddef.h>
#include <stdio.h>

#include "error.h"

/* Appends one line, `time action subject detail`, separated by tabs. The time is UTC. */
Status eventlog_append(const char *path, const char *action, const char *subject, const char *detail, Error *error);

/* Copies the last `limit` lines of the log to `output`; all of them when there are fewer. */
Status eventlog_print(const char *path, size_t limit, FILE *output, Error *error);

#endif
