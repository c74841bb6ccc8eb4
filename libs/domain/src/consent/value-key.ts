import type { ContextField } from '@annals/contracts';
import { analyzeTerms } from '@annals/english';
import type { SettingField } from './types.js';

/** The share of words from which goals are the same: "run a marathon", "run the Lisbon marathon" (2 of 3). */
const SAME_GOAL = 0.6;

/** The key that all wordings of a value share; `null` has a key of its own. */
export function makeValueKey(field: ContextField | SettingField, value: string | null): string {
  if (value === null) return '';
  if (field === 'goals_add') {
    const terms = [...analyzeTerms(value).terms.keys()].toSorted();
    if (terms.length > 0) return terms.join(' ');
  }
  return value.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

export function isSameValue(field: ContextField, one: string, other: string): boolean {
  if (one === other) return true;
  if (field !== 'goals_add') return false;
  const [a, b] = [new Set(one.split(' ')), new Set(other.split(' '))];
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / (a.size + b.size - shared) >= SAME_GOAL;
}
