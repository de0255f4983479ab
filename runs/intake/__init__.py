"""What others send: reported results, trajectories, uploads, and runs to be graded again."""
