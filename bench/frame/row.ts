/** One line of the result: our figure, and the baseline (`raw`) that was measured interleaved with it. */
export interface Row {
  /**
   * The target of the figure: `T1` to `T14` (docs/reference/performance-targets.md), `CHAT`
   * (docs/chat.md#cost), `EDGE`
   * (docs/reference/memory-model.md#relations-between-memories), `MINDS`
   * (docs/reference/minds.md#cost-to-requests), `VAULT` (docs/reference/vault.md#cost), or `CONSOLE` (docs/console.md#speed).
   */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly raw?: { readonly what: string; readonly value: number };
  readonly target?: { readonly text: string; readonly met: boolean };
  /** Further figures that explain this one, in the JSON only. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Ours as a multiple of raw. */
export function computeRatio({ value, raw }: Row): number | undefined {
  return raw === undefined || raw.value === 0 ? undefined : value / raw.value;
}

export function atMost(value: number, limit: number, text: string) {
  return { text, met: value <= limit };
}

export function atLeast(value: number, limit: number, text: string) {
  return { text, met: value >= limit };
}
