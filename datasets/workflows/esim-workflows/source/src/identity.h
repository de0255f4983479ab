#ifndef ESIM_IDENTITY_H
#define ESIM_IDENTITY_H

#include <stdbool.h>

#define EID_SIZE 33   /* 32 digits and the end */
#define ICCID_SIZE 21 /* 19 or 20 digits and the end */

/* An EID names a chip: 32 digits that begin with 89; the whole number leaves 1 when divided by 97. */
bool eid_valid(const char *text);

/* An ICCID names a profile: 19 or 20 digits that begin with 89; the last is the Luhn check digit. */
bool iccid_valid(const char *text);

#endif
