#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

bool text_unescape(char *text)
{
    char *target = text;
    for (const char *source = text; *source; source++) {
        if (*source != '\\') {
            *target++ = *source;
            continue;
        }
        source++;
        switch (*source) {
        case '\\': *target++ = '\\'; break;
        case 't': *target++ = '\t'; break;
        default: return false;
        }
    }
    *target = '\0';
    return true;
}

size_t text_split(char *line, char separator, char **fields, size_t limit)
{
    const char separators[] = {separator, '\0'};
    size_t count = 0;
    char *rest = NULL;
    for (char *field = strtok_r(line, separators, &rest); field; field = strtok_r(NULL, separators, &rest)) {
        if (count < limit)
            fields[count] = field;
        count++;
    }
    return count;
}

bool text_read_line(FILE *file, char **line, size_t *size)
{
    ssize_t length = getline(line, size, file);
    if (length < 0)
        return false;
    if (length > 0 && (*line)[length - 1] == '\n')
        (*line)[length - 1] = '\0';
    return true;
}

bool text_copy(char *target, size_t size, const char *source)
{
    size_t length = strlen(source);
    if (length >= size)
        return false;
    memcpy(target, source, length + 1);
    return true;
}

bool text_number(const char *text, unsigned long low, unsigned long high, unsigned long *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end = NULL;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || *end || value < low || value > high)
        return false;
    *number = value;
    return true;
}

void text_write_escaped(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '\\': fputs("\\\\", file); break;
        case '\t': fputs("\\t", file); break;
        default: fputc(*text, file);
        }
    }
}
