import { analyzeTerms } from '../words/analyze-terms.js';
import type { FactToken } from './fact-tokens.js';
import { type Count, readCount, readOrdinal } from './read-count.js';

/** A number as a text names it, with the tokens `from` to `to` (excluded). */
export interface Quantity {
  readonly from: number;
  readonly to: number;
  /** "2", "900 EUR", "19:30", "#3" (third), "/month" (monthly, a month). */
  readonly value: string;
  /** The number and its unit: a quantity with all of these, and more, is the same one, more exact. */
  readonly parts: readonly string[];
  /** Stems of what is counted: "dog" of "two big dogs". */
  readonly counted: readonly string[];
}

const CURRENCY_SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };
const UNIT_WORDS: Readonly<Record<string, string>> = {
  EUR: 'euro euros eur',
  USD: 'dollar dollars usd bucks',
  GBP: 'pound pounds gbp quid',
  CHF: 'chf francs franc',
  JPY: 'yen jpy',
  INR: 'rupee rupees inr',
  cents: 'cent cents',
  '%': '% percent',
  km: 'km kilometer kilometers kilometre kilometres',
  m: 'm meter meters metre metres',
  cm: 'cm centimeter centimeters centimetre centimetres',
  mm: 'mm millimeter millimeters millimetre millimetres',
  miles: 'mile miles mi',
  feet: 'foot feet ft',
  inches: 'inch inches',
  kg: 'kg kilo kilos kilogram kilograms',
  g: 'g gram grams',
  mg: 'mg milligram milligrams',
  lb: 'lb lbs',
  tons: 'ton tons tonne tonnes',
  l: 'l liter liters litre litres',
  ml: 'ml milliliter milliliters millilitre millilitres',
  'km/h': 'km/h kph',
  mph: 'mph',
  degrees: 'degree degrees °',
  GB: 'gb gigabyte gigabytes',
  MB: 'mb megabyte megabytes',
  TB: 'tb terabyte terabytes',
  kWh: 'kwh',
  s: 'sec secs second seconds',
  min: 'min mins minute minutes',
  h: 'h hr hrs hour hours',
  days: 'day days',
  weeks: 'week weeks',
  months: 'month months',
  years: 'year years',
  times: 'time times x',
};
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries(UNIT_WORDS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)),
);
/** Pounds that weigh. */
const SQUARE = /^(?:square|sq)$/u;
const RATES: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  nightly: 'night',
  weekly: 'week',
  fortnightly: 'fortnight',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
  annual: 'year',
  annually: 'year',
};
const RATE_PERIOD = /^(?:hour|minute|second|day|night|week|weekend|fortnight|month|quarter|semester|year)$/u;
/** "One of the founders", "no one", "one day": a pronoun, and no number. */
const NO_ONE_BEFORE =
  /^(?:no|the|this|that|these|those|each|any|every|which|some|another|other|only|latter|former|new|old|big|little|favou?rite)$/u;
const NO_ONE_BEHIND = /^(?:of|another|day|who|that|which|is|was|should|could|can|must|may|would)$/u;

/** The numbers of a text, in order; `taken`: tokens that belong to dates. */
export function listQuantities(tokens: readonly FactToken[], taken: ReadonlySet<number>): Quantity[] {
  const quantities: Quantity[] = [];
  for (let at = 0; at < tokens.length;) {
    const quantity = taken.has(at) ? null : readQuantity(tokens, at, quantities.at(-1));
    if (quantity) quantities.push(quantity);
    at = quantity?.to ?? at + 1;
  }
  return quantities;
}

type Reader = (tokens: readonly FactToken[], at: number, last: Quantity | undefined) => Quantity | null;

const READERS: readonly Reader[] = [readClock, readRate, readFrequency, readMoney, readPlace, readHalf, readAmount];

function readQuantity(tokens: readonly FactToken[], at: number, last: Quantity | undefined): Quantity | null {
  for (const read of READERS) {
    const quantity = read(tokens, at, last);
    if (quantity) return quantity;
  }
  return null;
}

const create = (from: number, to: number, value: string): Quantity => ({
  from,
  to,
  value,
  parts: [value],
  counted: [],
});

/** "7pm", "7:30 p.m.", "half past seven", "nine o'clock", "noon". */
function readClock(tokens: readonly FactToken[], at: number): Quantity | null {
  const { lower } = tokens[at]!;
  if (lower === 'noon' || lower === 'midday') return create(at, at + 1, '12:00');
  if (lower === 'midnight') return create(at, at + 1, '00:00');
  const spoken = readSpokenTime(tokens, at);
  if (spoken) return spoken;
  const time = /^(?<hour>\d{1,2})(?:[:.](?<minute>[0-5]\d))?$/u.exec(lower)?.groups;
  const hour = time ? Number(time['hour']) : Number(readCount(tokens, at)?.value ?? Number.NaN);
  if (Number.isNaN(hour) || hour > 24) return null;
  const next = time ? at + 1 : readCount(tokens, at)!.next;
  const suffix = /^(?<half>[ap])\.?m$/u.exec(tokens[next]?.lower ?? '')?.groups?.['half'];
  const isClock = /^o'clock$/u.test(tokens[next]?.lower ?? '');
  if (suffix !== undefined && hour <= 12) {
    const end = tokens[next]!.lower.includes('.') && tokens[next + 1]?.text === '.' ? next + 2 : next + 1;
    return create(at, end, renderTime((hour % 12) + (suffix === 'p' ? 12 : 0), Number(time?.['minute'] ?? 0)));
  }
  if (isClock) return create(at, next + 1, renderTime(hour, 0));
  return lower.includes(':') && time ? create(at, at + 1, renderTime(hour, Number(time['minute']))) : null;
}

function readSpokenTime(tokens: readonly FactToken[], at: number): Quantity | null {
  const minutes = { half: 30, quarter: 15 }[tokens[at]!.lower];
  const side = tokens[at + 1]?.lower;
  if (minutes === undefined || (side !== 'past' && side !== 'to')) return null;
  const hour = readCount(tokens, at + 2);
  if (!hour || Number(hour.value) > 12) return null;
  const isPm = /^p\.?m$/u.test(tokens[hour.next]?.lower ?? '');
  const base = (Number(hour.value) % 12) + (isPm ? 12 : 0);
  const total = base * 60 + (side === 'past' ? minutes : -minutes);
  const end = /^[ap]\.?m$/u.test(tokens[hour.next]?.lower ?? '') ? hour.next + 1 : hour.next;
  return create(at, end, renderTime(Math.floor(((total + 1440) % 1440) / 60), (total + 1440) % 60));
}

function renderTime(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** "Weekly", "every month", "per hour", and "a week" close behind a number. */
function readRate(tokens: readonly FactToken[], at: number, last: Quantity | undefined): Quantity | null {
  const { lower } = tokens[at]!;
  const rate = RATES[lower];
  if (rate !== undefined) return create(at, at + 1, `/${rate}`);
  const period = tokens[at + 1]?.lower ?? '';
  if (!RATE_PERIOD.test(period)) return null;
  const isRate =
    /^(?:per|every|each|\/)$/u.test(lower) || (/^(?:an?|the)$/u.test(lower) && isCloseBehind(tokens, at, last));
  return isRate ? create(at, at + 2, `/${period}`) : null;
}

function isCloseBehind(tokens: readonly FactToken[], at: number, last: Quantity | undefined): boolean {
  if (!last || at - last.to > 2) return false;
  return tokens.slice(last.to, at).every(({ isMark, lower }) => !isMark && !/^(?:for|in|and|or|within)$/u.test(lower));
}

/** "Twice", "once a week". */
function readFrequency(tokens: readonly FactToken[], at: number): Quantity | null {
  const { lower } = tokens[at]!;
  const isOnce =
    lower === 'once' && /^(?:an?|per|every|each|daily|weekly|monthly|yearly)$/u.test(tokens[at + 1]?.lower ?? '');
  const count = isOnce ? '1' : { twice: '2', thrice: '3' }[lower];
  return count === undefined ? null : { ...create(at, at + 1, `${count} times`), parts: [count, 'times'] };
}

/** "€900", "$3.5k". */
function readMoney(tokens: readonly FactToken[], at: number): Quantity | null {
  const unit = CURRENCY_SIGNS[tokens[at]!.text];
  const count = unit === undefined ? null : readCount(tokens, at + 1);
  if (unit === undefined || !count) return null;
  // "$5m" is money; "5 m" is a distance.
  const isMillion = tokens[count.next]?.lower === 'm' && tokens[count.next]!.isJoined;
  const value = isMillion ? String(Number(count.value) * 1e6) : count.value;
  return measure(at, isMillion ? count.next + 1 : count.next, value, unit, []);
}

/** "Third", "3rd"; not "first of all", "at first", "ten seconds". */
function readPlace(tokens: readonly FactToken[], at: number, last: Quantity | undefined): Quantity | null {
  const ordinal = readOrdinal(tokens, at);
  if (!ordinal) return null;
  const [before, behind] = [tokens[at - 1]?.lower ?? '', tokens[ordinal.next]?.lower ?? ''];
  const isAdverb = ordinal.value === '1' && (before === 'at' || behind === 'of' || behind === 'name');
  const isSecond = ordinal.value === '2' && (before === 'per' || last?.to === at);
  return isAdverb || isSecond ? null : create(at, ordinal.next, `#${ordinal.value}`);
}

function readHalf(tokens: readonly FactToken[], at: number): Quantity | null {
  const { lower } = tokens[at]!;
  const next = tokens[at + 1];
  if (lower !== 'half' || !next || next.isMark || next.isJoined) return null;
  return create(at, at + 1, '0.5');
}

function readAmount(tokens: readonly FactToken[], at: number): Quantity | null {
  const sign = isMinus(tokens, at) ? '-' : '';
  const from = sign === '' ? at : at + 1;
  const count = readCount(tokens, from);
  if (!count || (tokens[from]!.lower === 'one' && count.next === from + 1 && isPronoun(tokens, from))) return null;
  const value = `${sign}${count.value}`;
  const age = skipAge(tokens, count.next);
  if (age !== null) return create(at, age, value);
  const { unit, next } = readUnit(tokens, count);
  return unit === null
    ? { ...create(at, next, value), counted: readCounted(tokens, next) }
    : measure(at, next, value, unit, []);
}

function isMinus(tokens: readonly FactToken[], at: number): boolean {
  const [sign, figures] = [tokens[at]!, tokens[at + 1]];
  return (
    /^[-−]$/u.test(sign.text) &&
    figures !== undefined &&
    figures.start === sign.end &&
    tokens[at - 1]?.end !== sign.start
  );
}

function isPronoun(tokens: readonly FactToken[], at: number): boolean {
  const behind = tokens[at + 1];
  return (
    NO_ONE_BEFORE.test(tokens[at - 1]?.lower ?? '') ||
    behind === undefined ||
    behind.isMark ||
    NO_ONE_BEHIND.test(behind.lower)
  );
}

/** "42 years old", "six-year-old": the age alone. */
function skipAge(tokens: readonly FactToken[], at: number): number | null {
  if (!/^years?$/u.test(tokens[at]?.lower ?? '')) return null;
  if (tokens[at + 1]?.lower === 'old') return at + 2;
  return tokens[at + 1]?.lower === 'of' && tokens[at + 2]?.lower === 'age' ? at + 3 : null;
}

function readUnit(tokens: readonly FactToken[], { next }: Count): { unit: string | null; next: number } {
  const square = SQUARE.test(tokens[next]?.lower ?? '') ? UNITS.get(tokens[next + 1]?.lower ?? '') : undefined;
  if (square !== undefined) return { unit: `${square}2`, next: next + 2 };
  const unit = UNITS.get(tokens[next]?.lower ?? '');
  return unit === undefined ? { unit: null, next } : { unit, next: next + 1 };
}

function measure(from: number, to: number, value: string, unit: string, counted: readonly string[]): Quantity {
  return { from, to, value: `${value} ${unit}`, parts: [value, unit], counted };
}

const MAX_COUNTED = 3;
const COUNTED_END =
  /^(?:and|or|but|in|on|at|of|for|with|to|from|by|as|that|who|which|is|are|was|were|has|have|had|a|an|the|per|every|each)$/u;

function readCounted(tokens: readonly FactToken[], at: number): string[] {
  const words: string[] = [];
  for (
    let token = tokens[at];
    token && !token.isMark && words.length < MAX_COUNTED;
    token = tokens[at + words.length]
  ) {
    if (COUNTED_END.test(token.lower)) break;
    words.push(token.lower);
  }
  return [...analyzeTerms(words.join(' ')).terms.keys()];
}
