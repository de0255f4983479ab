#include "activation.h"

#include <string.h>

#include "text.h"

#define MIN_FIELDS 3
#define MAX_FIELDS 5
#define CODE_SIZE 300

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool only(const char *text, const char *allowed)
{
    return text[strspn(text, allowed)] == '\0';
}

/* Labels of letters, digits and inner hyphens, joined by single dots. */
static bool host_valid(const char *host)
{
    size_t label = 0;
    char before = '.';
    for (; *host; before = *host++) {
        if (*host == '.' ? (label == 0 || before == '-') : (*host == '-' && label == 0))
            return false;
        if (*host != '.' && *host != '-' && !strchr(LETTERS DIGITS, *host))
            return false;
        label = *host == '.' ? 0 : label + 1;
    }
    return label > 0 && before != '-';
}

/* Numbers joined by single dots. */
static bool oid_valid(const char *oid)
{
    return only(oid, DIGITS ".") && *oid != '.' && !strstr(oid, "..") && (!*oid || oid[strlen(oid) - 1] != '.');
}

Status activation_parse(const char *text, ActivationCode *code, Error *error)
{
    char copy[CODE_SIZE];
    char *fields[MAX_FIELDS] = {NULL};
    if (!text_copy(copy, sizeof copy, text))
        return fail(error, ESIM_INVALID, "activation code is too long");
    size_t count = text_split(copy, '$', fields, MAX_FIELDS);
    if (count < MIN_FIELDS || count > MAX_FIELDS)
        return fail(error, ESIM_INVALID, "activation code has %zu fields, not 3 to 5", count);
    if (strcmp(fields[0], "LPA:1") != 0)
        return fail(error, ESIM_INVALID, "activation code does not begin with LPA:1$");

    const char *oid = count > 3 ? fields[3] : "";
    const char *confirmation = count > 4 ? fields[4] : "";
    memset(code, 0, sizeof *code);
    if (!host_valid(fields[1]) || !text_copy(code->smdp, sizeof code->smdp, fields[1]))
        return fail(error, ESIM_INVALID, "activation code names no valid server");
    if (!only(fields[2], LETTERS DIGITS "-")
        || !text_copy(code->matching_id, sizeof code->matching_id, fields[2]))
        return fail(error, ESIM_INVALID, "activation code has a malformed matching id");
    if (!oid_valid(oid) || !text_copy(code->oid, sizeof code->oid, oid))
        return fail(error, ESIM_INVALID, "activation code has a malformed object identifier");
    if (*confirmation && strcmp(confirmation, "1") != 0)
        return fail(error, ESIM_INVALID, "activation code has a malformed confirmation flag");
    code->confirmation = *confirmation != '\0';
    return ESIM_OK;
}
