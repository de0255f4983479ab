#include "profile.h"

const char *profile_state_name(ProfileState state)
{
    return state == PROFILE_ENABLED ? "enabled" : "disabled";
}
