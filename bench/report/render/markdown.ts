/** A table in Markdown; prettier aligns it. */
export function renderTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`);
  return lines.join('\n');
}

/** `1234567` micro-USD as `1.2346 USD`. */
export function renderUsd(microUsd: number): string {
  return `${(microUsd / 1_000_000).toFixed(4)} USD`;
}

export function renderCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function renderSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
