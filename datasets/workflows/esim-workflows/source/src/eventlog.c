#include "eventlog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text.h"

Status eventlog_append(const char *path, const char *action, const char *subject, const char *detail, Error *error)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    fprintf(file, "%s\t%s\t%s\t%s\n", stamp, action, subject, detail);
    if (fclose(file) != 0)
        return fail(error, ESIM_STORAGE, "%s: cannot be written", path);
    return ESIM_OK;
}

static size_t count_lines(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    size_t count = 0;
    while (text_read_line(file, &line, &size))
        count++;
    free(line);
    rewind(file);
    return count;
}

Status eventlog_print(const char *path, size_t limit, FILE *output, Error *error)
{
    FILE *file = fopen(path, "r");
    if (!file && errno == ENOENT)
        return ESIM_OK;
    if (!file)
        return fail(error, ESIM_STORAGE, "%s: %s", path, strerror(errno));
    size_t count = count_lines(file);
    char *line = NULL;
    size_t size = 0;
    for (size_t i = 0; text_read_line(file, &line, &size); i++)
        if (i + limit >= count)
            fprintf(output, "%s\n", line);
    free(line);
    fclose(file);
    return ESIM_OK;
}
