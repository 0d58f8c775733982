"""Static hosting: what a host would reply for a path, known from the files of a build folder."""
