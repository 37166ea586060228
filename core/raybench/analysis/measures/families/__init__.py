"""The families of measures, a module each: functions and their rows of the table."""
