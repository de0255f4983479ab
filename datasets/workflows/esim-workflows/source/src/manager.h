#ifndef ESIM_MANAGER_H
#define ESIM_MANAGER_H

#include "config.h"
#include "device.h"
#include "error.h"
#include "store.h"

/* A data directory, opened: its settings, devices and profiles in memory. */
typedef struct {
    char directory[1024];
    Config config;
    Registry registry;
    Store store;
} Manager;

/* Loads everything; makes the directory when it is missing. After a failure only manager_close may be called. */
Status manager_open(Manager *manager, const char *directory, Error *error);
void manager_close(Manager *manager);

/* Write the settings, the devices or the profiles back. */
Status manager_save_config(const Manager *manager, Error *error);
Status manager_save_devices(const Manager *manager, Error *error);
Status manager_save_profiles(const Manager *manager, Error *error);

/* Adds a line to the event log, unless the settings switch it off. */
Status manager_log(const Manager *manager, const char *action, const char *subject, const char *detail, Error *error);

/* Copies the last lines of the event log to `output`. */
Status manager_print_log(const Manager *manager, size_t limit, FILE *output, Error *error);

#endif
