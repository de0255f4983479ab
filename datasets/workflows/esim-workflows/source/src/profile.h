#ifndef ESIM_PROFILE_H
#define ESIM_PROFILE_H

#include <stdbool.h>

#include "activation.h"
#include "identity.h"

#define NAME_SIZE 65 /* 64 bytes and the end */

typedef enum { PROFILE_DISABLED, PROFILE_ENABLED } ProfileState;

/* One profile on one device. Of the profiles on a device at most one is enabled. */
typedef struct {
    char iccid[ICCID_SIZE];
    char eid[EID_SIZE];
    ProfileState state;
    char smdp[SMDP_SIZE];
    char matching_id[MATCHING_ID_SIZE];
    bool confirmation;
    char name[NAME_SIZE];
} Profile;

/* "enabled" or "disabled". */
const char *profile_state_name(ProfileState state);

#endif
