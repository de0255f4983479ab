#include "identity.h"

#include <stddef.h>
#include <string.h>

static bool all_digits(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

static unsigned remainder97(const char *digits)
{
    unsigned remainder = 0;
    for (; *digits; digits++)
        remainder = (remainder * 10 + (unsigned)(*digits - '0')) % 97;
    return remainder;
}

static unsigned luhn_sum(const char *digits)
{
    unsigned sum = 0;
    bool twice = false;
    for (size_t i = strlen(digits); i-- > 0; twice = !twice) {
        unsigned digit = (unsigned)(digits[i] - '0');
        if (twice)
            digit = digit < 5 ? digit * 2 : digit * 2 - 9;
        sum += digit;
    }
    return sum;
}

bool eid_valid(const char *text)
{
    return strlen(text) == EID_SIZE - 1 && all_digits(text) && strncmp(text, "89", 2) == 0
        && remainder97(text) == 1;
}

bool iccid_valid(const char *text)
{
    size_t length = strlen(text);
    return (length == ICCID_SIZE - 2 || length == ICCID_SIZE - 1) && all_digits(text)
        && strncmp(text, "89", 2) == 0 && luhn_sum(text) % 10 == 0;
}
