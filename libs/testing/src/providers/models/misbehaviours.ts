import type { Behaviour, RetryHint } from './behaviour.js';
import type { FakeRequest } from './fake-request.js';

type Make = (hintMs: number) => Behaviour;

/** A retry of the request may succeed, or the answer is valid although unusual. */
const TRANSIENT = {
  rate_limit_seconds: (hintMs) => limit({ kind: 'seconds', seconds: Math.ceil(hintMs / 1_000) }),
  rate_limit_ms: (hintMs) => limit({ kind: 'ms', ms: hintMs }),
  rate_limit_date: (hintMs) => limit({ kind: 'date', inMs: hintMs }),
  rate_limit_reset: (hintMs) => limit({ kind: 'reset', inMs: hintMs }),
  rate_limit_bare: () => limit({ kind: 'none' }),
  server_error: () => ({ kind: 'error', status: 500 }),
  unavailable: () => ({ kind: 'error', status: 503 }),
  overloaded: () => ({ kind: 'error', status: 529 }),
  reset: () => ({ kind: 'reset' }),
  garbage: () => ({ kind: 'garbage' }),
  stream_error: () => ({ kind: 'answer', broken: { at: 'middle', how: 'overloaded' } }),
  cut_early: () => ({ kind: 'answer', broken: { at: 'start', how: 'end' } }),
  cut_middle: () => ({ kind: 'answer', broken: { at: 'middle', how: 'reset' } }),
  cut_late: () => ({ kind: 'answer', broken: { at: 'end', how: 'end' } }),
  prose: () => ({ kind: 'answer', text: 'I have read the conversation and found nothing to add.' }),
  wrong_shape: () => ({ kind: 'answer', text: '{"facts":[1,2,3]}' }),
  truncated: () => ({ kind: 'answer', stop: 'truncated' }),
  empty: () => ({ kind: 'answer', stop: 'empty' }),
  drip: () => ({ kind: 'answer', everyMs: 5 }),
  tools_before: () => ({ kind: 'answer', tools: 'before' }),
  tools_inside: () => ({ kind: 'answer', tools: 'inside' }),
  tools_after: () => ({ kind: 'answer', tools: 'after' }),
  thinking: () => ({ kind: 'answer', thinking: 'Let me see {"schemaVersion": "no answer"}.' }),
  no_usage: () => ({ kind: 'answer', usage: 'missing' }),
} satisfies Record<string, Make>;

/** End when the caller times out. */
const HANGING = {
  hang: () => ({ kind: 'hang' }),
  stall: () => ({ kind: 'answer', broken: { at: 'middle', how: 'stall' } }),
} satisfies Record<string, Make>;

/** The same request fails again. */
const PERMANENT = {
  refusal: () => ({ kind: 'answer', stop: 'refusal' }),
  content_filter: () => ({ kind: 'answer', stop: 'content_filter' }),
  spend_limit: () => ({ kind: 'spend_limit' }),
  own_spend_limit: () => ({ kind: 'own_spend_limit' }),
  bad_request: () => ({ kind: 'error', status: 400 }),
  unauthenticated: () => ({ kind: 'error', status: 401 }),
  forbidden: () => ({ kind: 'error', status: 403 }),
  not_found: () => ({ kind: 'error', status: 404 }),
} satisfies Record<string, Make>;

const MISBEHAVIOURS = { ...TRANSIENT, ...HANGING, ...PERMANENT };

export type MisbehaviourName = keyof typeof MISBEHAVIOURS;
export const MISBEHAVIOUR_NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];

/** Misbehaviours after which a retry may succeed, without those that only end by a timeout. */
export const TRANSIENT_MISBEHAVIOURS = Object.keys(TRANSIENT) as (keyof typeof TRANSIENT)[];

export interface MisbehaviourMix {
  /** Share of the calls that misbehave, 0 to 1. */
  rate: number;
  seed: number;
  /** Default: `TRANSIENT_MISBEHAVIOURS`. */
  kinds?: readonly MisbehaviourName[];
  /** Retry hint of a 429; default 100 ms (rounded up where the header has whole seconds). */
  hintMs?: number;
}

/** Creates a misbehaviour by its name; a 429 has the retry hint `hintMs`. */
export function createMisbehaviour(name: MisbehaviourName, hintMs = 100): Behaviour {
  const make: Make = MISBEHAVIOURS[name];
  return make(hintMs);
}

/**
 * A seeded random choice for the `attempt`-th call with the same conversation. It depends on nothing else, so that the
 * faults are the same in any order of calls.
 */
export function pickFromMix(mix: MisbehaviourMix, request: FakeRequest, attempt: number): Behaviour | undefined {
  const kinds = mix.kinds ?? TRANSIENT_MISBEHAVIOURS;
  const sample = hashToUnit(`${mix.seed}|${attempt}|${request.userTexts[0] ?? ''}`);
  if (sample >= mix.rate || kinds.length === 0) return undefined;
  const name = kinds[Math.floor((sample / mix.rate) * kinds.length)]!;
  return createMisbehaviour(name, mix.hintMs);
}

function limit(hint: RetryHint): Behaviour {
  return { kind: 'error', status: 429, hint };
}

// FNV-1a with a final mix: without it, texts that differ only at the end have nearly the same hash.
function hashToUnit(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
