import { resolveDates } from '@annals/english';
import { listSentences } from './list-sentences.js';
import type { Span } from './subject.js';

const DAY_MS = 86_400_000;

/** What most texts lack, so that no sentence has to be read. */
const MAY_BE_ONE_TIME = /https?:\/\/|\b(?:code|otp|passcode|ticket|boarding pass|voucher|coupon|tracking)\b/iu;

/** In days: how long something of a kind is of use after it was said (docs/reference/forgetting.md#one-time-data). */
const KINDS: readonly { readonly days: number; readonly pattern: RegExp }[] = [
  {
    days: 1,
    pattern:
      /\b(?:verification|one[- ]time|log[- ]?in|sign[- ]?in|security|authentication|auth|2fa|sms|otp)\b.{0,40}\b(?:code|otp|password|passcode|link|pin)\b/iu,
  },
  {
    days: 7,
    pattern:
      /\b(?:reset|meeting|invit(?:e|ation)|join|download|confirmation|activation|registration|unsubscribe|magic|video call|webinar)\b.{0,60}https?:\/\//iu,
  },
  {
    days: 7,
    pattern:
      /\b(?:pick[- ]?up|voucher|coupon|promo|discount|confirmation|booking|check[- ]in|tracking|gift card|activation)\s+(?:code|number|id|no\.?)\b.{0,60}[\p{L}\p{N}-]*\p{N}/iu,
  },
  { days: 7, pattern: /\b(?:ticket|boarding pass)\b.{0,60}[\p{L}-]*\p{N}{3,}/iu },
];

/** In UTF-16 units. In longer texts, such as documents, nothing is looked for. */
const MAX_TEXT_LENGTH = 4_000;
/** In UTF-16 units. Longer sentences are no short notes of a code. */
const MAX_SENTENCE_LENGTH = 400;

/** The sentences with codes, links and tickets that are of use once, and until when: epoch ms, null for none. */
export interface OneTimeData {
  readonly spans: readonly Span[];
  readonly expiresAt: number | null;
}

/**
 * A ticket with a date is of use until the day after it. What a person lives with (a door code, a postal code, a season
 * ticket without a number) is none. `saidAt`: epoch ms.
 */
export function findOneTimeData(text: string, saidAt: number): OneTimeData {
  if (text.length > MAX_TEXT_LENGTH || !MAY_BE_ONE_TIME.test(text)) return { spans: [], expiresAt: null };
  const spans: Span[] = [];
  let expiresAt: number | null = null;
  for (const { start, end } of listSentences(text)) {
    if (end - start > MAX_SENTENCE_LENGTH) continue;
    const sentence = text.slice(start, end);
    const kind = KINDS.find(({ pattern }) => pattern.test(sentence));
    if (!kind) continue;
    spans.push({ start, end });
    const until = Math.max(saidAt + kind.days * DAY_MS, findLastDay(sentence, saidAt) + 2 * DAY_MS);
    expiresAt = Math.max(expiresAt ?? 0, until);
  }
  return { spans, expiresAt };
}

/** Epoch ms of the last day that a sentence names, 0 without one. */
function findLastDay(sentence: string, saidAt: number): number {
  const days = resolveDates(sentence, saidAt)
    .filter(({ granularity }) => granularity === 'day')
    .map(({ to }) => Date.parse(to));
  return days.reduce((latest, day) => Math.max(latest, Number.isNaN(day) ? 0 : day), 0);
}
