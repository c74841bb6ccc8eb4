/** A line for the person who waits. */
export function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
