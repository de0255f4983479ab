#ifndef ESIM_LIFECYCLE_H
#define ESIM_LIFECYCLE_H

#include <stdbool.h>

#include "error.h"
#include "manager.h"

/*
 * The rules by which devices and profiles come, change and go. Each function either changes the manager's memory or
 * reports why not and changes nothing. Saving is the caller's business.
 */

/* Registers a device. `slots` 0 means the default of the settings. */
Status lifecycle_add_device(Manager *manager, const char *eid, unsigned slots, const char *name, Error *error);

/* Removes a device; with `force` also the profiles on it, whatever their state. */
Status lifecycle_remove_device(Manager *manager, const char *eid, bool force, Error *error);

/* What is needed to install a profile. `confirmation_code` NULL: the user gave none. */
typedef struct {
    const char *eid;
    const char *activation_code;
    const char *iccid;
    const char *name;
    const char *confirmation_code;
} Download;

/* Installs a profile, disabled. */
Status lifecycle_download(Manager *manager, const Download *download, Error *error);

/* Enables a profile, and disables the one that was enabled on its device. */
Status lifecycle_enable(Manager *manager, const char *iccid, Error *error);
Status lifecycle_disable(Manager *manager, const char *iccid, Error *error);

/* Deletes a profile that is disabled. */
Status lifecycle_delete(Manager *manager, const char *iccid, Error *error);
Status lifecycle_rename(Manager *manager, const char *iccid, const char *name, Error *error);

#endif
