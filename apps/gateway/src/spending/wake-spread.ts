/** Work that a raised budget sets free begins within this time, not all in one moment. */
export const WAKE_SPREAD_MS = 10_000;
