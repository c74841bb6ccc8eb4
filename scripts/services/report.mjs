/** One line to the person; results go to stdout alone. */
export function report(text) {
  process.stderr.write(`services: ${text}\n`);
}
