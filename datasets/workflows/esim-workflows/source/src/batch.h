#ifndef ESIM_BATCH_H
#define ESIM_BATCH_H

#include <stdio.h>

#include "manager.h"

/*
 * Installs one profile for each line `eid activation-code iccid name` of the file, tab-separated and escaped as in the
 * data files. All or nothing: after a failure no file has changed.
 */
Status batch_import(Manager *manager, FILE *file, const char *name, size_t *count, Error *error);

/*
 * Carries out one line after the other: `enable iccid`, `disable iccid`, `delete iccid` or `rename iccid name`.
 * Stops at the first line that fails; what the lines before it did stays done and is saved.
 */
Status batch_apply(Manager *manager, FILE *file, const char *name, size_t *count, Error *error);

#endif
