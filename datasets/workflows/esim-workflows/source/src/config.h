#ifndef ESIM_CONFIG_H
#define ESIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "error.h"

#define CONFIG_KEYS 3
#define CONFIG_VALUE_SIZE 129

/* The settings of a data directory; every key always has a value. */
typedef struct {
    char values[CONFIG_KEYS][CONFIG_VALUE_SIZE];
} Config;

/* Every setting at its default. */
void config_init(Config *config);

/* Reads the file over what `config` holds. A missing file changes nothing. */
Status config_load(Config *config, const char *path, Error *error);
Status config_save(const Config *config, const char *path, Error *error);

/* The value, or NULL when there is no such key. */
const char *config_get(const Config *config, const char *key);

/* ESIM_NOT_FOUND: no such key. ESIM_INVALID: the value is not one that the key can have. */
Status config_set(Config *config, const char *key, const char *value, Error *error);

/* Writes every key and value as tab-separated lines. */
void config_write(const Config *config, FILE *file);

#endif
