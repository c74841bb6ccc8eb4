import { ENERGY_PRICES, ENERGY_RESERVE_SHARE, type EnergyLimits } from '@annals/domain';
import { type JournalEntry, parseMind, parseShownPairs } from '@annals/testing';

const HOUR_MS = 3_600_000;
const PRICES = {
  insights: ENERGY_PRICES.insight,
  consolidation: ENERGY_PRICES.pair_batch,
  summary: ENERGY_PRICES.summary_call,
};

/** What the model server counted, at the most of a UTC day. */
export interface CountedCalls {
  readonly calls: Readonly<Record<keyof typeof PRICES, number>>;
  /** Different pairs of one user. */
  readonly pairsOfUserAndDay: number;
  /** Tokens of consolidation, in and out, by UTC day as `2026-01-31`. */
  readonly tokensByDay: ReadonlyMap<string, number>;
  /** The most of these. */
  readonly tokensOfDay: number;
  readonly energy: number;
  /** The lowest level of a meter that these calls are drawn from, which the server keeps itself. */
  readonly lowestLevel: number;
}

/** Counts the calls of minds that a server received. Its times are those of the driven clock. */
export function countCalls(
  entries: readonly JournalEntry[],
  { capacity, refillPerHour }: EnergyLimits,
  ownerOf: (text: string) => string,
): CountedCalls {
  const calls = { insights: 0, consolidation: 0, summary: 0 };
  const pairs = new Map<string, Set<string>>();
  const tokens = new Map<string, number>();
  let energy = 0;
  let level = capacity;
  let lowestLevel = capacity;
  let drawnAt = entries[0]?.receivedAt ?? 0;
  for (const { request, receivedAt, usage } of entries) {
    const mind = parseMind(request);
    if (mind === null) continue;
    calls[mind] += 1;
    energy += PRICES[mind];
    level = Math.min(capacity, level + ((receivedAt - drawnAt) / HOUR_MS) * refillPerHour) - PRICES[mind];
    lowestLevel = Math.min(lowestLevel, level);
    drawnAt = receivedAt;
    if (mind !== 'consolidation') continue;
    const day = toDay(receivedAt);
    tokens.set(day, (tokens.get(day) ?? 0) + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0));
    for (const { a, b } of parseShownPairs(request)) {
      const key = `${day} ${ownerOf(a)}`;
      pairs.set(key, (pairs.get(key) ?? new Set()).add([a, b].toSorted().join('\n')));
    }
  }
  return {
    calls,
    pairsOfUserAndDay: Math.max(0, ...[...pairs.values()].map(({ size }) => size)),
    tokensByDay: tokens,
    tokensOfDay: Math.max(0, ...tokens.values()),
    energy,
    lowestLevel,
  };
}

/** The UTC day of epoch ms, as `2026-01-31`. */
export function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** What a meter never falls below. */
export function reserveOf({ capacity }: EnergyLimits): number {
  return capacity * ENERGY_RESERVE_SHARE;
}
