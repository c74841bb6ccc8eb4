/** Prints a line of progress. */
export function log(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
