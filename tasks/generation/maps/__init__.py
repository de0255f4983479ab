"""Maps of the code of a repository: functions, their measures, and who calls whom."""
