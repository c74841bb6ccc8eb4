/** A line for the person who waits. */
export function log(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
