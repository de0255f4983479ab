"""What a report tells, one function for each section."""
