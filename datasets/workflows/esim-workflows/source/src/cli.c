#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activation.h"
#include "batch.h"
#include "lifecycle.h"
#include "manager.h"
#include "text.h"

#define MAX_POSITIONAL 3
#define DEFAULT_LOG_LINES "20"

/* A command's arguments, sorted out. An option that was not given is NULL. */
typedef struct {
    const char *positional[MAX_POSITIONAL];
    const char *name;
    const char *slots;
    const char *iccid;
    const char *confirmation_code;
    bool force;
} Arguments;

typedef struct {
    const char *group;
    const char *verb; /* NULL: the group is the whole command */
    int least;        /* positional arguments */
    int most;
    const char *options;
    Status (*run)(Manager *manager, const Arguments *arguments, Error *error);
} Command;

static Status run_eid_check(Manager *manager, const Arguments *arguments, Error *error)
{
    (void)manager;
    if (!eid_valid(arguments->positional[0]))
        return fail(error, ESIM_INVALID, "'%s' is not an EID", arguments->positional[0]);
    puts("valid");
    return ESIM_OK;
}

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

static Status run_code_parse(Manager *manager, const Arguments *arguments, Error *error)
{
    (void)manager;
    ActivationCode code;
    Status status = activation_parse(arguments->positional[0], &code, error);
    if (status != ESIM_OK)
        return status;
    printf("smdp: %s\n", code.smdp);
    printf("matching-id: %s\n", or_dash(code.matching_id));
    printf("oid: %s\n", or_dash(code.oid));
    printf("confirmation-code: %s\n", code.confirmation ? "required" : "not required");
    return ESIM_OK;
}

static Status run_device_add(Manager *manager, const Arguments *arguments, Error *error)
{
    unsigned long slots = 0;
    const char *name = arguments->name ? arguments->name : "";
    if (arguments->slots && !text_number(arguments->slots, 1, MAX_SLOTS, &slots))
        return fail(error, ESIM_INVALID, "--slots takes a number from 1 to %d", MAX_SLOTS);
    Status status = lifecycle_add_device(manager, arguments->positional[0], (unsigned)slots, name, error);
    if (status == ESIM_OK)
        status = manager_save_devices(manager, error);
    if (status == ESIM_OK)
        status = manager_log(manager, "device-add", arguments->positional[0], name, error);
    return status;
}

static Status run_device_remove(Manager *manager, const Arguments *arguments, Error *error)
{
    Status status = lifecycle_remove_device(manager, arguments->positional[0], arguments->force, error);
    if (status == ESIM_OK)
        status = manager_save_profiles(manager, error);
    if (status == ESIM_OK)
        status = manager_save_devices(manager, error);
    if (status == ESIM_OK)
        status = manager_log(manager, "device-remove", arguments->positional[0], "", error);
    return status;
}

static Status run_device_list(Manager *manager, const Arguments *arguments, Error *error)
{
    (void)arguments;
    (void)error;
    for (size_t i = 0; i < manager->registry.count; i++) {
        const Device *device = &manager->registry.items[i];
        printf("%s\t%zu/%u\t%s\n", device->eid, store_count_on(&manager->store, device->eid), device->slots,
               device->name);
    }
    return ESIM_OK;
}

/* Saves the profiles and logs what happened to one of them, unless `status` says that it failed. */
static Status settle(Manager *manager, Status status, const char *action, const char *iccid, const char *detail,
                     Error *error)
{
    if (status == ESIM_OK)
        status = manager_save_profiles(manager, error);
    if (status == ESIM_OK)
        status = manager_log(manager, action, iccid, detail, error);
    return status;
}

static Status run_profile_download(Manager *manager, const Arguments *arguments, Error *error)
{
    if (!arguments->iccid)
        return fail(error, ESIM_USAGE, "profile download needs --iccid");
    Download download = {
        .eid = arguments->positional[0],
        .activation_code = arguments->positional[1],
        .iccid = arguments->iccid,
        .name = arguments->name ? arguments->name : "",
        .confirmation_code = arguments->confirmation_code,
    };
    return settle(manager, lifecycle_download(manager, &download, error), "download", download.iccid, download.name,
                  error);
}

static Status run_profile_enable(Manager *manager, const Arguments *arguments, Error *error)
{
    const char *iccid = arguments->positional[0];
    return settle(manager, lifecycle_enable(manager, iccid, error), "enable", iccid, "", error);
}

static Status run_profile_disable(Manager *manager, const Arguments *arguments, Error *error)
{
    const char *iccid = arguments->positional[0];
    return settle(manager, lifecycle_disable(manager, iccid, error), "disable", iccid, "", error);
}

static Status run_profile_delete(Manager *manager, const Arguments *arguments, Error *error)
{
    const char *iccid = arguments->positional[0];
    return settle(manager, lifecycle_delete(manager, iccid, error), "delete", iccid, "", error);
}

static Status run_profile_rename(Manager *manager, const Arguments *arguments, Error *error)
{
    const char *iccid = arguments->positional[0];
    const char *name = arguments->positional[1];
    return settle(manager, lifecycle_rename(manager, iccid, name, error), "rename", iccid, name, error);
}

static Status run_profile_list(Manager *manager, const Arguments *arguments, Error *error)
{
    (void)error;
    const char *eid = arguments->positional[0];
    size_t cursor = 0;
    for (const Profile *profile; (profile = store_next(&manager->store, &cursor));)
        if (!eid || strcmp(profile->eid, eid) == 0)
            printf("%s\t%s\t%s\t%s\n", profile->iccid, profile->eid, profile_state_name(profile->state),
                   profile->name);
    return ESIM_OK;
}

static Status run_profile_show(Manager *manager, const Arguments *arguments, Error *error)
{
    const Profile *profile = store_find(&manager->store, arguments->positional[0]);
    if (!profile)
        return fail(error, ESIM_NOT_FOUND, "no profile %s", arguments->positional[0]);
    printf("iccid: %s\n", profile->iccid);
    printf("eid: %s\n", profile->eid);
    printf("state: %s\n", profile_state_name(profile->state));
    printf("smdp: %s\n", profile->smdp);
    printf("matching-id: %s\n", or_dash(profile->matching_id));
    printf("confirmation-code: %s\n", profile->confirmation ? "required" : "not required");
    printf("name: %s\n", profile->name);
    return ESIM_OK;
}

typedef Status (*Batch)(Manager *manager, FILE *file, const char *name, size_t *count, Error *error);

static Status run_batch(Manager *manager, const char *name, Batch batch, const char *done, Error *error)
{
    FILE *file = fopen(name, "r");
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", name, strerror(errno));
    size_t count = 0;
    Status status = batch(manager, file, name, &count, error);
    fclose(file);
    if (status == ESIM_OK)
        printf("%s %zu\n", done, count);
    return status;
}

static Status run_profile_import(Manager *manager, const Arguments *arguments, Error *error)
{
    return run_batch(manager, arguments->positional[0], batch_import, "imported", error);
}

static Status run_profile_apply(Manager *manager, const Arguments *arguments, Error *error)
{
    return run_batch(manager, arguments->positional[0], batch_apply, "applied", error);
}

static Status run_config_get(Manager *manager, const Arguments *arguments, Error *error)
{
    const char *value = config_get(&manager->config, arguments->positional[0]);
    if (!value)
        return fail(error, ESIM_NOT_FOUND, "no setting %s", arguments->positional[0]);
    puts(value);
    return ESIM_OK;
}

static Status run_config_set(Manager *manager, const Arguments *arguments, Error *error)
{
    Status status = config_set(&manager->config, arguments->positional[0], arguments->positional[1], error);
    return status == ESIM_OK ? manager_save_config(manager, error) : status;
}

static Status run_config_list(Manager *manager, const Arguments *arguments, Error *error)
{
    (void)arguments;
    (void)error;
    config_write(&manager->config, stdout);
    return ESIM_OK;
}

static Status run_log(Manager *manager, const Arguments *arguments, Error *error)
{
    unsigned long limit = 0;
    const char *lines = arguments->positional[0] ? arguments->positional[0] : DEFAULT_LOG_LINES;
    if (!text_number(lines, 1, INT_MAX, &limit))
        return fail(error, ESIM_INVALID, "log takes a number of lines");
    return manager_print_log(manager, limit, stdout, error);
}

static const Command commands[] = {
    {"eid", "check", 1, 1, "", run_eid_check},
    {"code", "parse", 1, 1, "", run_code_parse},
    {"device", "add", 1, 1, "--name --slots", run_device_add},
    {"device", "remove", 1, 1, "--force", run_device_remove},
    {"device", "list", 0, 0, "", run_device_list},
    {"profile", "download", 2, 2, "--iccid --name --confirmation-code", run_profile_download},
    {"profile", "enable", 1, 1, "", run_profile_enable},
    {"profile", "disable", 1, 1, "", run_profile_disable},
    {"profile", "delete", 1, 1, "", run_profile_delete},
    {"profile", "rename", 2, 2, "", run_profile_rename},
    {"profile", "list", 0, 1, "", run_profile_list},
    {"profile", "show", 1, 1, "", run_profile_show},
    {"profile", "import", 1, 1, "", run_profile_import},
    {"profile", "apply", 1, 1, "", run_profile_apply},
    {"config", "get", 1, 1, "", run_config_get},
    {"config", "set", 2, 2, "", run_config_set},
    {"config", "list", 0, 0, "", run_config_list},
    {"log", NULL, 0, 1, "", run_log},
};

static const Command *find_command(const char *group, const char *verb)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].group, group) == 0
            && (!commands[i].verb || (verb && strcmp(commands[i].verb, verb) == 0)))
            return &commands[i];
    return NULL;
}

/* Where the value of an option goes; NULL for an option that takes none or that does not exist. */
static const char **value_of(Arguments *arguments, const char *option)
{
    if (strcmp(option, "--name") == 0)
        return &arguments->name;
    if (strcmp(option, "--slots") == 0)
        return &arguments->slots;
    if (strcmp(option, "--iccid") == 0)
        return &arguments->iccid;
    if (strcmp(option, "--confirmation-code") == 0)
        return &arguments->confirmation_code;
    return NULL;
}

/* Whether the space-separated list holds the whole word. */
static bool takes(const char *options, const char *option)
{
    size_t length = strcspn(option, " ");
    if (option[length])
        return false;
    for (const char *at = options; (at = strstr(at, option)); at += length)
        if ((at == options || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static Status parse_arguments(const Command *command, int count, char **words, Arguments *arguments, Error *error)
{
    int positional = 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], "--", 2) != 0) {
            if (positional == command->most)
                return fail(error, ESIM_USAGE, "unexpected argument '%s'", words[i]);
            arguments->positional[positional++] = words[i];
            continue;
        }
        const char **value = value_of(arguments, words[i]);
        if (!takes(command->options, words[i]))
            return fail(error, ESIM_USAGE, "unknown option %s", words[i]);
        if (!value)
            arguments->force = true;
        else if (i + 1 == count)
            return fail(error, ESIM_USAGE, "option %s needs a value", words[i]);
        else
            *value = words[++i];
    }
    if (positional < command->least)
        return fail(error, ESIM_USAGE, "too few arguments");
    return ESIM_OK;
}

static Status run(const char *directory, int count, char **words, Error *error)
{
    Arguments arguments = {0};
    const Command *command = count ? find_command(words[0], count > 1 ? words[1] : NULL) : NULL;
    if (!command)
        return fail(error, ESIM_USAGE, "usage: esim [-d DIRECTORY] COMMAND; the README lists the commands");
    int used = command->verb ? 2 : 1;
    Status status = parse_arguments(command, count - used, words + used, &arguments, error);
    if (status != ESIM_OK)
        return status;
    Manager manager;
    status = manager_open(&manager, directory, error);
    if (status == ESIM_OK)
        status = command->run(&manager, &arguments, error);
    manager_close(&manager);
    return status;
}

int cli_run(int count, char **arguments)
{
    Error error = {{0}};
    const char *home = getenv("ESIM_HOME");
    const char *directory = home && *home ? home : "esim-data";
    int first = 1;
    if (count > 2 && strcmp(arguments[1], "-d") == 0) {
        directory = arguments[2];
        first = 3;
    }
    Status status = run(directory, count > first ? count - first : 0, arguments + first, &error);
    if (status == ESIM_OK && fflush(stdout) != 0)
        status = fail(&error, ESIM_STORAGE, "cannot write to standard output");
    if (status != ESIM_OK)
        fprintf(stderr, "error: %s\n", error.text);
    return (int)status;
}
