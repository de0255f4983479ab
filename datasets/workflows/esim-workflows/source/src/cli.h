#ifndef ESIM_CLI_H
#define ESIM_CLI_H

/* The program: takes the arguments of main and returns its exit code. */
int cli_run(int count, char **arguments);

#endif
