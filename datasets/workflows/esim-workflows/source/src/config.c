#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "text.h"

typedef struct {
    const char *key;
    const char *standard;
    bool (*valid)(const char *value);
} Setting;

static bool is_yes_or_no(const char *value)
{
    return strcmp(value, "yes") == 0 || strcmp(value, "no") == 0;
}

static bool is_slots(const char *value)
{
    unsigned long number;
    return text_number(value, 1, MAX_SLOTS, &number);
}

static bool is_anything(const char *value)
{
    (void)value;
    return true;
}

static const Setting settings[CONFIG_KEYS] = {
    {"log.enabled", "yes", is_yes_or_no},
    {"slots.default", "8", is_slots},
    {"smdp.suffix", ".example.com", is_anything},
};

static size_t place_of(const char *key)
{
    size_t place = 0;
    while (place < CONFIG_KEYS && strcmp(settings[place].key, key) != 0)
        place++;
    return place;
}

void config_init(Config *config)
{
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        text_copy(config->values[i], CONFIG_VALUE_SIZE, settings[i].standard);
}

const char *config_get(const Config *config, const char *key)
{
    size_t place = place_of(key);
    return place < CONFIG_KEYS ? config->values[place] : NULL;
}

Status config_set(Config *config, const char *key, const char *value, Error *error)
{
    size_t place = place_of(key);
    if (place == CONFIG_KEYS)
        return fail(error, ESIM_NOT_FOUND, "no setting %s", key);
    if (!settings[place].valid(value) || !text_copy(config->values[place], CONFIG_VALUE_SIZE, value))
        return fail(error, ESIM_INVALID, "setting %s cannot be '%s'", key, value);
    return ESIM_OK;
}

void config_write(const Config *config, FILE *file)
{
    for (size_t i = 0; i < CONFIG_KEYS; i++) {
        fprintf(file, "%s\t", settings[i].key);
        text_write_escaped(file, config->values[i]);
        fputc('\n', file);
    }
}

Status config_load(Config *config, const char *path, Error *error)
{
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return ESIM_OK;
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    char *line = NULL;
    size_t size = 0;
    Status status = ESIM_OK;
    for (size_t number = 1; status == ESIM_OK && text_read_line(file, &line, &size); number++) {
        char *fields[2];
        Error reason;
        if (text_split(line, '\t', fields, 2) != 2 || !text_unescape(fields[1]))
            status = fail(error, ESIM_STORAGE, "%s:%zu: damaged line", path, number);
        else if (config_set(config, fields[0], fields[1], &reason) != ESIM_OK)
            status = fail(error, ESIM_STORAGE, "%s:%zu: unknown key or value", path, number);
    }
    free(line);
    fclose(file);
    return status;
}

Status config_save(const Config *config, const char *path, Error *error)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    config_write(config, file);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed)
        return fail(error, ESIM_STORAGE, "%s: cannot be written", path);
    return ESIM_OK;
}
