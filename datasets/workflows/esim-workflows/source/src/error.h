#ifndef ESIM_ERROR_H
#define ESIM_ERROR_H

/* What a function reports. The values are the exit codes of the program. */
typedef enum {
    ESIM_OK = 0,
    ESIM_REFUSED = 1,   /* a rule forbids it */
    ESIM_USAGE = 2,     /* the command line makes no sense */
    ESIM_INVALID = 3,   /* a value is malformed */
    ESIM_NOT_FOUND = 4, /* no such device, profile or setting */
    ESIM_STORAGE = 5    /* a file cannot be read, understood or written */
} Status;

/* The sentence that goes with a status other than ESIM_OK. */
typedef struct {
    char text[512];
} Error;

/* Writes the sentence (cut when it is too long) and returns `status`. */
__attribute__((format(printf, 3, 4)))
Status fail(Error *error, Status status, const char *format, ...);

#endif
