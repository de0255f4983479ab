#include "batch.h"

#include <stdlib.h>
#include <string.h>

#include "lifecycle.h"
#include "text.h"

#define IMPORT_FIELDS 4
#define APPLY_MIN_FIELDS 2
#define APPLY_MAX_FIELDS 3

typedef Status (*LineHandler)(Manager *manager, char *line, Error *error);

static Status malformed(Error *error)
{
    return fail(error, ESIM_INVALID, "malformed line");
}

static Status import_line(Manager *manager, char *line, Error *error)
{
    char *fields[IMPORT_FIELDS];
    if (text_split(line, '\t', fields, IMPORT_FIELDS) != IMPORT_FIELDS || !text_unescape(fields[3]))
        return malformed(error);
    Download download = {
        .eid = fields[0], .activation_code = fields[1], .iccid = fields[2], .name = fields[3]};
    return lifecycle_download(manager, &download, error);
}

static Status change(Manager *manager, const char *action, const char *iccid, char *name, Error *error)
{
    if (name)
        return strcmp(action, "rename") == 0 && text_unescape(name) ? lifecycle_rename(manager, iccid, name, error)
                                                                    : malformed(error);
    if (strcmp(action, "enable") == 0)
        return lifecycle_enable(manager, iccid, error);
    if (strcmp(action, "disable") == 0)
        return lifecycle_disable(manager, iccid, error);
    if (strcmp(action, "delete") == 0)
        return lifecycle_delete(manager, iccid, error);
    return malformed(error);
}

static Status apply_line(Manager *manager, char *line, Error *error)
{
    char *fields[APPLY_MAX_FIELDS] = {NULL};
    size_t count = text_split(line, '\t', fields, APPLY_MAX_FIELDS);
    if (count < APPLY_MIN_FIELDS || count > APPLY_MAX_FIELDS)
        return malformed(error);
    const char *name = fields[2];
    Status status = change(manager, fields[0], fields[1], fields[2], error);
    if (status == ESIM_OK)
        status = manager_save_profiles(manager, error);
    if (status == ESIM_OK)
        status = manager_log(manager, fields[0], fields[1], name ? name : "", error);
    return status;
}

/* Puts file and line in front of what went wrong there. */
static Status located(Status status, const char *name, size_t number, Error *error)
{
    Error reason = *error;
    return fail(error, status, "%s:%zu: %s", name, number, reason.text);
}

static Status each_line(Manager *manager, FILE *file, const char *name, LineHandler handle, size_t *count,
                        Error *error)
{
    char *line = NULL;
    size_t size = 0;
    Status status = ESIM_OK;
    *count = 0;
    while (status == ESIM_OK && text_read_line(file, &line, &size)) {
        status = handle(manager, line, error);
        if (status == ESIM_OK)
            ++*count;
        else
            status = located(status, name, *count + 1, error);
    }
    free(line);
    return status;
}

Status batch_import(Manager *manager, FILE *file, const char *name, size_t *count, Error *error)
{
    Status status = each_line(manager, file, name, import_line, count, error);
    if (status == ESIM_OK)
        status = manager_save_profiles(manager, error);
    if (status == ESIM_OK)
        status = manager_log(manager, "import", name, "", error);
    return status;
}

Status batch_apply(Manager *manager, FILE *file, const char *name, size_t *count, Error *error)
{
    return each_line(manager, file, name, apply_line, count, error);
}
