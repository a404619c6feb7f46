/** Loaded by `--require`: code that waits for no `--import`, as that of a worker thread which is given as text, finds the hook in place. */
try {
  require('./preload.js');
} catch {
  // This Node cannot require a module: the hook comes by `--import`.
}
