import { z } from 'zod';

/** USD per 1,000,000 tokens as a decimal string, converted without floating point to integer micro-USD. */
const price = z
  .string()
  .regex(/^\d{1,6}(?:\.\d{1,6})?$/, 'must be an amount in USD such as "0.125", as a string with at most 6 decimals')
  .transform(toMicroUsd)
  .refine((microUsd) => microUsd > 0, 'must be more than 0');

function toMicroUsd(text: string): number {
  const [whole = '0', decimals = ''] = text.split('.');
  return Number(whole) * 1_000_000 + Number(decimals.padEnd(6, '0'));
}

const day = z
  .string()
  .refine(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
    'must be a date such as 2026-10-07',
  );

/** Prices of prompt cache writes by lifetime of the entry, shortest first: `5m` before `1h`. */
const cacheWrite = z
  .record(z.string().regex(/^\d{1,4}[mh]$/, 'must be a lifetime such as "5m" or "1h"'), price)
  .refine((prices) => Object.keys(prices).length > 0, 'must name at least one lifetime')
  .transform((prices) =>
    Object.entries(prices)
      .map(([lifetime, microUsd]) => ({ minutes: toMinutes(lifetime), microUsd }))
      .toSorted((a, b) => a.minutes - b.minutes),
  );

function toMinutes(lifetime: string): number {
  return Number.parseInt(lifetime, 10) * (lifetime.endsWith('h') ? 60 : 1);
}

const chatPrices = z.strictObject({ input: price, output: price, cacheRead: price, cacheWrite });

const common = {
  provider: z.enum(['claude', 'openai']),
  model: z.string().min(1),
  /** The price is valid from the start of this UTC day. */
  effectiveFrom: day,
  /** Price of a call through the provider's batch API, as a fraction of the price. */
  batchFactor: z
    .string()
    .regex(/^0?\.\d{1,4}$/, 'must be a fraction below 1, such as "0.5"')
    .optional(),
};

const entry = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('chat'),
    usdPerMillionTokens: chatPrices,
    /** Prices of the whole request if it has more input tokens than this, cached or not. */
    longPrompt: z.strictObject({ aboveInputTokens: z.int().positive(), usdPerMillionTokens: chatPrices }).optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('embedding'),
    usdPerMillionTokens: z.strictObject({ input: price }),
  }),
]);

export const catalogSchema = z.strictObject({ version: z.string().min(1), entries: z.array(entry).min(1) });

/** Prices of one tier in integer micro-USD per 1,000,000 tokens. */
export type ChatPrices = z.output<typeof chatPrices>;
export type PriceEntry = z.output<typeof entry>;
