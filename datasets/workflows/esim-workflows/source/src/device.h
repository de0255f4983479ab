#ifndef ESIM_DEVICE_H
#define ESIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "identity.h"
#include "profile.h"

#define MAX_SLOTS 64

/* A device: one chip that holds up to `slots` profiles. */
typedef struct {
    char eid[EID_SIZE];
    unsigned slots;
    char name[NAME_SIZE];
} Device;

/* All devices, in the order in which they were added. A pointer to one is good until one is added or removed. */
typedef struct {
    Device *items;
    size_t count;
    size_t capacity;
} Registry;

void registry_init(Registry *registry);
void registry_free(Registry *registry);

/* As store_load and store_save. */
Status registry_load(Registry *registry, const char *path, Error *error);
Status registry_save(const Registry *registry, const char *path, Error *error);

/* Adds a copy at the end. ESIM_REFUSED when the EID is taken. */
Status registry_add(Registry *registry, const Device *device, Error *error);

/* Removes the device. False when there is none. */
bool registry_remove(Registry *registry, const char *eid);

/* The device, or NULL. */
const Device *registry_find(const Registry *registry, const char *eid);

#endif
