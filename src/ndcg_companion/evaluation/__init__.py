"""Which of several systems is better, by which measure, how surely."""
