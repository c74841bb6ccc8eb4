import type { JsonObject } from '../../parsing/json-tree.js';

/** Notes a field that has no counterpart in the Messages API and is left out. */
export type Ignore = (field: string) => void;

/** Whether a field says something: absent, null and empty say nothing. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Notes the fields of `value` that are neither read nor empty, as `prefix` and their name. */
export function ignoreOthers(value: JsonObject, known: readonly string[], prefix: string, ignore: Ignore): void {
  for (const [name, given] of Object.entries(value)) {
    if (isGiven(given) && !known.includes(name)) ignore(`${prefix}${name}`);
  }
}

/** The mark for the prompt cache on a part, message or tool. */
export function readMark({ cache_control: mark }: JsonObject): JsonObject {
  return isGiven(mark) ? { cache_control: mark } : {};
}
