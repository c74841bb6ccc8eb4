import { ConfigError } from '@annals/config';
import type { z } from 'zod';
import { catalogSchema } from './catalog-schema.js';
import type { PriceEntry } from './catalog-schema.js';
import shipped from './pricing-catalog.json' with { type: 'json' };
import { PricingCatalog } from './pricing-catalog.js';

const VARIABLE = 'MEMORY_LLM_PRICING_CATALOG';

/**
 * Loads the shipped prices, overridden by those of a user's file in the same format: an entry for the same provider,
 * model and day replaces the shipped one.
 * @param extraJson the text of the user's file
 * @throws ConfigError naming the position in the file and the expected value
 */
export function loadPricingCatalog(extraJson?: string): PricingCatalog {
  const base = parseCatalog(shipped);
  if (extraJson === undefined) return new PricingCatalog(base.version, base.entries);
  const extra = parseCatalog(readJson(extraJson));
  const byKey = new Map([...base.entries, ...extra.entries].map((entry) => [buildEntryKey(entry), entry]));
  return new PricingCatalog(`${base.version}+${extra.version}`, [...byKey.values()]);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createConfigError('is not JSON');
  }
}

function parseCatalog(document: unknown): z.output<typeof catalogSchema> {
  const { success, data, error } = catalogSchema.safeParse(document);
  if (!success) {
    const issue = error.issues[0];
    throw createConfigError(
      `is invalid at ${formatPath(issue?.path ?? [])}: ${lowerFirst(issue?.message ?? 'cannot be parsed')}`,
    );
  }
  const seen = new Set<string>();
  data.entries.forEach((entry, index) => {
    const key = buildEntryKey(entry);
    if (seen.has(key)) throw createConfigError(`has a second price for ${key} at entries[${index}]`);
    seen.add(key);
  });
  return data;
}

function buildEntryKey({ provider, model, effectiveFrom }: PriceEntry): string {
  return `${provider} ${model} from ${effectiveFrom}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  const position = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return position.replace(/^\./, '') || 'the top level';
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function createConfigError(problem: string): ConfigError {
  return new ConfigError([{ variable: VARIABLE, message: `The pricing catalog (${VARIABLE}) ${problem}.` }]);
}
