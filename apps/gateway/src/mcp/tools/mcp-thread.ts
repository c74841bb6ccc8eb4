/**
 * The thread of what is remembered through MCP on a day (UTC) (docs/mcp.md#threads): a conversation without end would
 * lose its oldest facts to eviction.
 */
export function threadOfDay(day: string): string {
  return `mcp-${day}`;
}

/** `2026-11-28` */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
