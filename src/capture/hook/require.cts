/** Loaded by `--require`, before anything of the program and in the same turn. */
try {
  require('./preload.js');
} catch {
  // This Node cannot require a module: it is not watched, and its program runs as without the hook.
}
