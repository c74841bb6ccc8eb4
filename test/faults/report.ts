/** Prints one figure of the run as a line of its own, without vitest's prefix. */
export function reportFigure(what: string, figure: string): void {
  process.stdout.write(`figure: ${what}: ${figure}\n`);
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
