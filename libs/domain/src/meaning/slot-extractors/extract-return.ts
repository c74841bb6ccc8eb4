import type { Slot } from '../slot.js';

/** In the words of the local rules and of models. */
const USED_AGAIN =
  /^[Tt]he (?:previous|former|old|earlier) (?<what>[\p{L}\d -]{2,50}?) is (?:used|in use|in place) again$/u;
const WENT_BACK =
  /^(?<who>[Tt]he user|\p{Lu}\p{L}+) (?:(?:and others )?(?:went|switched|changed|moved|returned)) (?:back )?to (?:[Tt]he user['’]s|the|their) (?:previous|former|old|earlier) (?<what>[\p{L}\d -]{2,50})$/u;

/** A return to the value before the current one, which it does not name. */
export function extractReturn(statement: string): Slot | null {
  const groups = (USED_AGAIN.exec(statement) ?? WENT_BACK.exec(statement))?.groups as
    { who?: string; what: string } | undefined;
  if (!groups) return null;
  const key = `attribute|${groups.who?.toLowerCase() ?? 'the'}|${groups.what.toLowerCase()}`;
  return { key, parts: {}, holds: true, tense: 'event', mode: 'beside', returns: true };
}
