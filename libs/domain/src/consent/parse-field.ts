import type { SensitiveField } from '@annals/contracts';
import { findLanguage, isCountry } from './known-words.js';
import { parseProperName } from './parse-proper-name.js';

/** A value at the beginning of a text, in its stored form, and the rest of the text. */
export interface ParsedValue {
  readonly value: string;
  readonly rest: string;
}

const PRONOUNS = /^(?:the pronouns? )?((?:she|he|they|it|xe|ze|ey|fae|any)(?:\s*\/\s*[a-z]{2,8}){1,2})\b/iu;
const MAX_VALUE_LENGTH = 80;

const FIELD_PARSERS: Record<SensitiveField, (text: string) => ParsedValue | null> = {
  preferred_name: parseProperName,
  pronouns(text) {
    const found = PRONOUNS.exec(text);
    if (!found) return null;
    return { value: found[1]!.toLowerCase().replaceAll(/\s/g, ''), rest: text.slice(found[0].length).trim() };
  },
  city(text) {
    const found = parseProperName(text.replace(/^the city of /iu, ''));
    return found && !isCountry(found.value) ? found : null;
  },
  language(text) {
    const [word = ''] = /^\p{L}+/u.exec(text) ?? [];
    const value = findLanguage(word);
    const rest = text.slice(word.length).trim();
    // Two languages are ambiguous.
    if (value === null || /^(?:,|and|or|&|\/)/u.test(rest)) return null;
    return { value, rest };
  },
};

/** Parses the field's value at the beginning of a text; null when there is none. */
export function parseField(field: SensitiveField, text: string): ParsedValue | null {
  const found = FIELD_PARSERS[field](text.trim());
  if (!found || found.value.length > MAX_VALUE_LENGTH || found.value.includes('[')) return null;
  return found;
}
