#ifndef ESIM_TEXT_H
#define ESIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Cuts `line` at each `separator`, in place. Stores up to `limit` fields and returns how many there are;
 * a result above `limit` means that the rest was not stored.
 */
size_t text_split(char *line, char separator, char **fields, size_t limit);

/* Writes `text` so that it can stand as one field of a tab-separated line. */
void text_write_escaped(FILE *file, const char *text);

/* Undoes text_write_escaped in place. False when `text` holds an escape that does not exist. */
bool text_unescape(char *text);

/* Copies `source` into `target` of `size` bytes. False, with `target` untouched, when it does not fit. */
bool text_copy(char *target, size_t size, const char *source);

/* Reads `text` as a decimal number between `low` and `high`. False when it is anything else. */
bool text_number(const char *text, unsigned long low, unsigned long high, unsigned long *number);

/*
 * Reads the next line without its line feed into `*line` (a buffer of getline). False at the end of the file.
 * Null bytes end a line early; no file of ours holds any.
 */
bool text_read_line(FILE *file, char **line, size_t *size);

#endif
