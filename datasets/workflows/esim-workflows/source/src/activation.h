#ifndef ESIM_ACTIVATION_H
#define ESIM_ACTIVATION_H

#include <stdbool.h>

#include "error.h"

#define SMDP_SIZE 129
#define MATCHING_ID_SIZE 65
#define OID_SIZE 65

/* What an activation code says: LPA:1$smdp$matching-id[$oid[$confirmation]]. */
typedef struct {
    char smdp[SMDP_SIZE];               /* host name of the server that holds the profile */
    char matching_id[MATCHING_ID_SIZE]; /* may be empty: the server then knows the device */
    char oid[OID_SIZE];                 /* empty when the code names none */
    bool confirmation;                  /* the user has to type a confirmation code */
} ActivationCode;

/* Reads `text`. ESIM_INVALID, with the reason, when it is not an activation code. */
Status activation_parse(const char *text, ActivationCode *code, Error *error);

#endif
