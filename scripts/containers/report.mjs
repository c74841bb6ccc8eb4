/** Prints one line of progress, on stderr; stdout is for results only. */
export function report(text) {
  process.stderr.write(`containers: ${text}\n`);
}
