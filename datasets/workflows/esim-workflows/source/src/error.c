#include "error.h"

#include <stdarg.h>
#include <stdio.h>

Status fail(Error *error, Status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
