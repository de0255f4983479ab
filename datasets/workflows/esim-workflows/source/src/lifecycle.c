#include "lifecycle.h"

#include <stdio.h>
#include <string.h>

#include "activation.h"
#include "text.h"

static Status find(const Manager *manager, const char *iccid, Profile **profile, Error *error)
{
    if (!iccid_valid(iccid))
        return fail(error, ESIM_INVALID, "'%s' is not an ICCID", iccid);
    *profile = store_find(&manager->store, iccid);
    return *profile ? ESIM_OK : fail(error, ESIM_NOT_FOUND, "no profile %s", iccid);
}

Status lifecycle_add_device(Manager *manager, const char *eid, unsigned slots, const char *name, Error *error)
{
    Device device = {.slots = slots};
    unsigned long standard = 0;
    if (!eid_valid(eid) || !text_copy(device.eid, sizeof device.eid, eid))
        return fail(error, ESIM_INVALID, "'%s' is not an EID", eid);
    if (!text_copy(device.name, sizeof device.name, name))
        return fail(error, ESIM_INVALID, "a name has at most %d bytes", NAME_SIZE - 1);
    if (!slots && text_number(config_get(&manager->config, "slots.default"), 1, MAX_SLOTS, &standard))
        device.slots = (unsigned)standard;
    return registry_add(&manager->registry, &device, error);
}

static void remove_profiles_on(Store *store, const char *eid)
{
    size_t cursor = 0;
    for (const Profile *profile; (profile = store_next(store, &cursor));) {
        if (strcmp(profile->eid, eid) == 0) {
            store_remove(store, profile->iccid);
            cursor = 0;
        }
    }
}

Status lifecycle_remove_device(Manager *manager, const char *eid, bool force, Error *error)
{
    if (!registry_find(&manager->registry, eid))
        return fail(error, ESIM_NOT_FOUND, "no device %s", eid);
    size_t profiles = store_count_on(&manager->store, eid);
    if (profiles && !force)
        return fail(error, ESIM_REFUSED, "device %s still holds %zu profiles", eid, profiles);
    remove_profiles_on(&manager->store, eid);
    registry_remove(&manager->registry, eid);
    return ESIM_OK;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    size_t tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Whether the settings and the device leave room for a profile from this server. */
static Status check_place(const Manager *manager, const char *eid, const ActivationCode *code, Error *error)
{
    const Device *device = registry_find(&manager->registry, eid);
    if (!device)
        return fail(error, ESIM_NOT_FOUND, "no device %s", eid);
    if (!ends_with(code->smdp, config_get(&manager->config, "smdp.suffix")))
        return fail(error, ESIM_REFUSED, "server %s is not allowed by smdp.suffix", code->smdp);
    if (store_count_on(&manager->store, eid) >= device->slots)
        return fail(error, ESIM_REFUSED, "device %s has no free slot", eid);
    return ESIM_OK;
}

Status lifecycle_download(Manager *manager, const Download *download, Error *error)
{
    ActivationCode code;
    Profile profile = {.state = PROFILE_DISABLED};
    Status status = activation_parse(download->activation_code, &code, error);
    if (status != ESIM_OK)
        return status;
    if (!iccid_valid(download->iccid) || !text_copy(profile.iccid, sizeof profile.iccid, download->iccid))
        return fail(error, ESIM_INVALID, "'%s' is not an ICCID", download->iccid);
    if (!text_copy(profile.name, sizeof profile.name, download->name))
        return fail(error, ESIM_INVALID, "a name has at most %d bytes", NAME_SIZE - 1);
    status = check_place(manager, download->eid, &code, error);
    if (status != ESIM_OK)
        return status;
    if (code.confirmation && !download->confirmation_code)
        return fail(error, ESIM_REFUSED, "this activation code needs a confirmation code");

    text_copy(profile.eid, sizeof profile.eid, download->eid);
    text_copy(profile.smdp, sizeof profile.smdp, code.smdp);
    text_copy(profile.matching_id, sizeof profile.matching_id, code.matching_id);
    profile.confirmation = code.confirmation;
    return store_add(&manager->store, &profile, error);
}

Status lifecycle_enable(Manager *manager, const char *iccid, Error *error)
{
    Profile *profile = NULL;
    Status status = find(manager, iccid, &profile, error);
    if (status != ESIM_OK)
        return status;
    if (profile->state == PROFILE_ENABLED)
        return fail(error, ESIM_REFUSED, "profile %s is enabled already", iccid);
    Profile *other = store_enabled_on(&manager->store, profile->eid);
    if (other)
        other->state = PROFILE_DISABLED;
    profile->state = PROFILE_ENABLED;
    return ESIM_OK;
}

Status lifecycle_disable(Manager *manager, const char *iccid, Error *error)
{
    Profile *profile = NULL;
    Status status = find(manager, iccid, &profile, error);
    if (status != ESIM_OK)
        return status;
    if (profile->state == PROFILE_DISABLED)
        return fail(error, ESIM_REFUSED, "profile %s is disabled already", iccid);
    profile->state = PROFILE_DISABLED;
    return ESIM_OK;
}

Status lifecycle_delete(Manager *manager, const char *iccid, Error *error)
{
    Profile *profile = NULL;
    Status status = find(manager, iccid, &profile, error);
    if (status != ESIM_OK)
        return status;
    if (profile->state == PROFILE_ENABLED)
        return fail(error, ESIM_REFUSED, "profile %s is enabled; disable it first", iccid);
    store_remove(&manager->store, iccid);
    return ESIM_OK;
}

Status lifecycle_rename(Manager *manager, const char *iccid, const char *name, Error *error)
{
    Profile *profile = NULL;
    Status status = find(manager, iccid, &profile, error);
    if (status != ESIM_OK)
        return status;
    if (!text_copy(profile->name, sizeof profile->name, name))
        return fail(error, ESIM_INVALID, "a name has at most %d bytes", NAME_SIZE - 1);
    return ESIM_OK;
}
