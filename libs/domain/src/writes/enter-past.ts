import { resolveDates, speaksOfPast } from '@annals/english';
import type { NewMemory } from './types.js';

const DAY_MS = 86_400_000;
const YEAR = /\b(?<lead>in|until|till|before) (?<year>(?:19|20)\d\d)\b/u;
const ENDS_BEFORE = /\b(?:until|till|before) $/u;

/**
 * A statement that speaks of the past itself ("the user lived in Faro back then") holds until the end of the time that it
 * names, at the latest until it was made, and ends nothing. What happened once stays true. Other statements are returned as they are.
 */
export function enterPast(memory: NewMemory): NewMemory {
  const isStatement = memory.type === 'semantic';
  const isOfPast = memory.origin === 'extraction' && isStatement && speaksOfPast(memory.content);
  if (!isOfPast || memory.validTo !== null) return memory;
  const validTo = Math.min(memory.saidAt, findEnd(memory) ?? memory.saidAt);
  return { ...memory, validFrom: Math.min(memory.validFrom, validTo), validTo };
}

/** Epoch ms; undefined when the statement names no time. */
function findEnd({ content, saidAt }: NewMemory): number | undefined {
  const period = resolveDates(content, saidAt, 'past').at(-1);
  if (period) {
    const isBefore = ENDS_BEFORE.test(content.slice(0, period.start));
    return isBefore ? Date.parse(period.from) : Date.parse(period.to) + DAY_MS;
  }
  const named = YEAR.exec(content)?.groups;
  return named && Date.UTC(Number(named['year']) + (named['lead'] === 'in' ? 1 : 0), 0, 1);
}
