#include "manager.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "eventlog.h"
#include "text.h"

#define PATH_SIZE (sizeof((Manager *)0)->directory + 32)

static const char *path_of(const Manager *manager, const char *name, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", manager->directory, name);
    return path;
}

Status manager_open(Manager *manager, const char *directory, Error *error)
{
    char path[PATH_SIZE];
    memset(manager, 0, sizeof *manager);
    config_init(&manager->config);
    registry_init(&manager->registry);
    store_init(&manager->store);
    if (!text_copy(manager->directory, sizeof manager->directory, directory))
        return fail(error, ESIM_USAGE, "the name of the data directory is too long");
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return fail(error, ESIM_STORAGE, "%s: %s", directory, strerror(errno));

    Status status = config_load(&manager->config, path_of(manager, "config.tsv", path), error);
    if (status == ESIM_OK)
        status = registry_load(&manager->registry, path_of(manager, "devices.tsv", path), error);
    if (status == ESIM_OK)
        status = store_load(&manager->store, path_of(manager, "profiles.tsv", path), error);
    return status;
}

void manager_close(Manager *manager)
{
    registry_free(&manager->registry);
    store_free(&manager->store);
}

Status manager_save_config(const Manager *manager, Error *error)
{
    char path[PATH_SIZE];
    return config_save(&manager->config, path_of(manager, "config.tsv", path), error);
}

Status manager_save_devices(const Manager *manager, Error *error)
{
    char path[PATH_SIZE];
    return registry_save(&manager->registry, path_of(manager, "devices.tsv", path), error);
}

Status manager_save_profiles(const Manager *manager, Error *error)
{
    char path[PATH_SIZE];
    return store_save(&manager->store, path_of(manager, "profiles.tsv", path), error);
}

Status manager_log(const Manager *manager, const char *action, const char *subject, const char *detail, Error *error)
{
    char path[PATH_SIZE];
    if (strcmp(config_get(&manager->config, "log.enabled"), "yes") != 0)
        return ESIM_OK;
    return eventlog_append(path_of(manager, "events.tsv", path), action, subject, detail, error);
}

Status manager_print_log(const Manager *manager, size_t limit, FILE *output, Error *error)
{
    char path[PATH_SIZE];
    return eventlog_print(path_of(manager, "events.tsv", path), limit, output, error);
}
