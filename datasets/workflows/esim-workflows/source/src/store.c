#include "store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define HEADER "# esim profiles 1"
#define FIELDS 7

void store_init(Store *store)
{
    *store = (Store){0};
}

void store_free(Store *store)
{
    free(store->items);
    store_init(store);
}

static void reserve(Store *store)
{
    if (store->count < store->capacity)
        return;
    size_t capacity = store->capacity ? store->capacity * 2 : 16;
    Profile *items = realloc(store->items, capacity * sizeof *items);
    if (!items) {
        fputs("error: out of memory\n", stderr);
        abort();
    }
    store->items = items;
    store->capacity = capacity;
}

Profile *store_find(const Store *store, const char *iccid)
{
    for (size_t i = 0; i < store->count; i++)
        if (strcmp(store->items[i].iccid, iccid) == 0)
            return &store->items[i];
    return NULL;
}

Status store_add(Store *store, const Profile *profile, Error *error)
{
    if (store_find(store, profile->iccid))
        return fail(error, ESIM_REFUSED, "profile %s exists already", profile->iccid);
    reserve(store);
    store->items[store->count++] = *profile;
    return ESIM_OK;
}

bool store_remove(Store *store, const char *iccid)
{
    Profile *profile = store_find(store, iccid);
    if (!profile)
        return false;
    size_t after = store->count - (size_t)(profile - store->items) - 1;
    memmove(profile, profile + 1, after * sizeof *profile);
    store->count--;
    return true;
}

Profile *store_enabled_on(const Store *store, const char *eid)
{
    for (size_t i = 0; i < store->count; i++)
        if (store->items[i].state == PROFILE_ENABLED && strcmp(store->items[i].eid, eid) == 0)
            return &store->items[i];
    return NULL;
}

size_t store_count(const Store *store)
{
    return store->count;
}

size_t store_count_on(const Store *store, const char *eid)
{
    size_t count = 0;
    for (size_t i = 0; i < store->count; i++)
        count += strcmp(store->items[i].eid, eid) == 0;
    return count;
}

const Profile *store_next(const Store *store, size_t *cursor)
{
    return *cursor < store->count ? &store->items[(*cursor)++] : NULL;
}

/* One line of the file as a profile; false when it cannot be one. */
static bool parse_line(char *line, Profile *profile)
{
    char *fields[FIELDS];
    if (text_split(line, '\t', fields, FIELDS) != FIELDS)
        return false;
    for (size_t i = 0; i < FIELDS; i++)
        if (!text_unescape(fields[i]))
            return false;
    if (strcmp(fields[2], "enabled") == 0)
        profile->state = PROFILE_ENABLED;
    else if (strcmp(fields[2], "disabled") == 0)
        profile->state = PROFILE_DISABLED;
    else
        return false;
    profile->confirmation = strcmp(fields[5], "1") == 0;
    return iccid_valid(fields[0]) && text_copy(profile->iccid, sizeof profile->iccid, fields[0])
        && eid_valid(fields[1]) && text_copy(profile->eid, sizeof profile->eid, fields[1])
        && text_copy(profile->smdp, sizeof profile->smdp, fields[3])
        && text_copy(profile->matching_id, sizeof profile->matching_id, fields[4])
        && (profile->confirmation || strcmp(fields[5], "0") == 0)
        && text_copy(profile->name, sizeof profile->name, fields[6]);
}

static Status load_lines(Store *store, FILE *file, const char *path, Error *error)
{
    char *line = NULL;
    size_t size = 0;
    Status status = ESIM_OK;
    for (size_t number = 1; status == ESIM_OK && text_read_line(file, &line, &size); number++) {
        Profile profile = {0};
        if (number == 1) {
            if (strcmp(line, HEADER) != 0)
                status = fail(error, ESIM_STORAGE, "%s:1: unknown format", path);
        } else if (!parse_line(line, &profile)) {
            status = fail(error, ESIM_STORAGE, "%s:%zu: damaged line", path, number);
        } else if (store_add(store, &profile, error) != ESIM_OK) {
            status = fail(error, ESIM_STORAGE, "%s:%zu: profile %s is there twice", path, number, profile.iccid);
        }
    }
    free(line);
    return status;
}

Status store_load(Store *store, const char *path, Error *error)
{
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return ESIM_OK;
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    Status status = load_lines(store, file, path, error);
    fclose(file);
    return status;
}

static void write_profile(FILE *file, const Profile *profile)
{
    fprintf(file, "%s\t%s\t%s\t", profile->iccid, profile->eid, profile_state_name(profile->state));
    text_write_escaped(file, profile->smdp);
    fputc('\t', file);
    text_write_escaped(file, profile->matching_id);
    fprintf(file, "\t%d\t", profile->confirmation ? 1 : 0);
    text_write_escaped(file, profile->name);
    fputc('\n', file);
}

Status store_save(const Store *store, const char *path, Error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    fputs(HEADER "\n", file);
    size_t cursor = 0;
    for (const Profile *profile; (profile = store_next(store, &cursor));)
        write_profile(file, profile);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return fail(error, ESIM_STORAGE, "%s: cannot be written", path);
    return ESIM_OK;
}
