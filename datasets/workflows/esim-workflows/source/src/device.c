#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define HEADER "# esim devices 1"
#define FIELDS 3

void registry_init(Registry *registry)
{
    *registry = (Registry){0};
}

void registry_free(Registry *registry)
{
    free(registry->items);
    registry_init(registry);
}

static void reserve(Registry *registry)
{
    if (registry->count < registry->capacity)
        return;
    size_t capacity = registry->capacity ? registry->capacity * 2 : 16;
    Device *items = realloc(registry->items, capacity * sizeof *items);
    if (!items) {
        fputs("error: out of memory\n", stderr);
        abort();
    }
    registry->items = items;
    registry->capacity = capacity;
}

const Device *registry_find(const Registry *registry, const char *eid)
{
    for (size_t i = 0; i < registry->count; i++)
        if (strcmp(registry->items[i].eid, eid) == 0)
            return &registry->items[i];
    return NULL;
}

Status registry_add(Registry *registry, const Device *device, Error *error)
{
    if (registry_find(registry, device->eid))
        return fail(error, ESIM_REFUSED, "device %s exists already", device->eid);
    reserve(registry);
    registry->items[registry->count++] = *device;
    return ESIM_OK;
}

bool registry_remove(Registry *registry, const char *eid)
{
    const Device *device = registry_find(registry, eid);
    if (!device)
        return false;
    size_t place = (size_t)(device - registry->items);
    memmove(&registry->items[place], &registry->items[place + 1],
            (registry->count - place - 1) * sizeof *registry->items);
    registry->count--;
    return true;
}

static bool parse_line(char *line, Device *device)
{
    char *fields[FIELDS];
    unsigned long slots = 0;
    if (text_split(line, '\t', fields, FIELDS) != FIELDS)
        return false;
    if (!eid_valid(fields[0]) || !text_number(fields[1], 1, MAX_SLOTS, &slots))
        return false;
    device->slots = (unsigned)slots;
    return text_copy(device->eid, sizeof device->eid, fields[0])
        && text_copy(device->name, sizeof device->name, fields[2]);
}

static Status load_lines(Registry *registry, FILE *file, const char *path, Error *error)
{
    char *line = NULL;
    size_t size = 0;
    Status status = ESIM_OK;
    for (size_t number = 1; status == ESIM_OK && text_read_line(file, &line, &size); number++) {
        Device device = {0};
        if (number == 1) {
            if (strcmp(line, HEADER) != 0)
                status = fail(error, ESIM_STORAGE, "%s:1: unknown format", path);
        } else if (!parse_line(line, &device)) {
            status = fail(error, ESIM_STORAGE, "%s:%zu: damaged line", path, number);
        } else if (registry_add(registry, &device, error) != ESIM_OK) {
            status = fail(error, ESIM_STORAGE, "%s:%zu: device %s is there twice", path, number, device.eid);
        }
    }
    free(line);
    return status;
}

Status registry_load(Registry *registry, const char *path, Error *error)
{
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return ESIM_OK;
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    Status status = load_lines(registry, file, path, error);
    fclose(file);
    return status;
}

Status registry_save(const Registry *registry, const char *path, Error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    fputs(HEADER "\n", file);
    for (size_t i = 0; i < registry->count; i++) {
        const Device *device = &registry->items[i];
        fprintf(file, "%s\t%u\t", device->eid, device->slots);
        text_write_escaped(file, device->name);
        fputc('\n', file);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return fail(error, ESIM_STORAGE, "%s: cannot be written", path);
    return ESIM_OK;
}
