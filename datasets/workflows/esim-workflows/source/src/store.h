#ifndef ESIM_STORE_H
#define ESIM_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "profile.h"

/*
 * The profiles of all devices, in the order in which they were added. Look inside only through the functions below.
 * A pointer to a profile is good until the next call that adds or removes one. Through such a pointer everything
 * may be changed but `iccid` and `eid`.
 */
typedef struct {
    Profile *items;
    size_t count;
    size_t capacity;
} Store;

void store_init(Store *store);
void store_free(Store *store);

/* Fills an empty store from the file. A missing file is an empty store. ESIM_STORAGE names file, line and reason. */
Status store_load(Store *store, const char *path, Error *error);

/* Writes every profile to the file. */
Status store_save(const Store *store, const char *path, Error *error);

/* Adds a copy of `profile` at the end. ESIM_REFUSED when its ICCID is taken. */
Status store_add(Store *store, const Profile *profile, Error *error);

/* Removes the profile. False when there is none. */
bool store_remove(Store *store, const char *iccid);

/* The profile, or NULL. */
Profile *store_find(const Store *store, const char *iccid);

/* The enabled profile of a device, or NULL. */
Profile *store_enabled_on(const Store *store, const char *eid);

/* How many profiles there are in all, and on one device. */
size_t store_count(const Store *store);
size_t store_count_on(const Store *store, const char *eid);

/*
 * Walks through the profiles in order. Start with `*cursor` at 0; NULL at the end.
 * Nothing may be added or removed on the way.
 */
const Profile *store_next(const Store *store, size_t *cursor);

#endif
