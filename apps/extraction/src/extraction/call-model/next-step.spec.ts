import { SeededRng } from '@annals/domain';
import { LLM_ERROR_TYPES } from '@annals/llm-core';
import type { PastCall } from '@annals/storage';
import fc from 'fast-check';
import { type ChainLink, type ClosedProvider, decideNextStep, type NextStep, type ChainState } from './next-step.js';

const CLAUDE: ChainLink = { provider: 'claude', model: 'haiku' };
const OPENAI: ChainLink = { provider: 'openai', model: 'luna' };
const LOCAL: ChainLink = { provider: 'local', model: 'rules' };
const NOW = 1_000_000;

/** Jitter of exactly 0: 200 of 0…400. */
const noJitter = () => {
  const rng = new SeededRng(1);
  rng.setSequence([200 / 401]);
  return rng;
};

const call = (link: ChainLink, outcome: PastCall['outcome'], more: Partial<PastCall> = {}): PastCall => ({
  id: 'c',
  ...link,
  outcome,
  generation: 1,
  costMicroUsd: 0,
  at: NOW,
  answer: outcome === 'parsing' ? '{"memories": [' : null,
  problem: outcome === 'parsing' ? 'It ends too early.' : null,
  ...more,
});
const times = (count: number, link: ChainLink, outcome: PastCall['outcome']) =>
  Array.from({ length: count }, () => call(link, outcome));
const openUntil = (until: number) => ({ reason: 'circuit_open', until }) as const;
const decide = (calls: readonly PastCall[], more: Partial<ChainState> = {}): NextStep =>
  decideNextStep({ chain: [CLAUDE, OPENAI], calls, closed: new Map(), now: NOW, rng: noJitter(), ...more });

describe('decideNextStep', () => {
  it('calls the primary first, without delay', () => {
    expect(decide([])).toEqual({ step: 'call', index: 0, attempt: 1, delayMs: 0 });
  });

  describe.each(['rate_limit', 'timeout', 'transient'] as const)('after a %s', (type) => {
    it.each([
      [1, 500],
      [2, 1_000],
      [3, 2_000],
    ])('retries the same provider with backoff after failure %i', (failures, delayMs) => {
      expect(decide(times(failures, CLAUDE, type))).toEqual({
        step: 'call',
        index: 0,
        attempt: failures + 1,
        delayMs,
        retryOf: type,
      });
    });

    it('calls the fallback when three retries have failed', () => {
      expect(decide(times(4, CLAUDE, type))).toEqual({
        step: 'call',
        index: 1,
        attempt: 1,
        delayMs: 0,
        fallback: { from: 0, reason: type },
      });
    });

    it('gives up when the fallback’s retries have failed too', () => {
      const calls = [...times(4, CLAUDE, 'timeout'), ...times(4, OPENAI, type)];
      expect(decide(calls)).toEqual({ step: 'give_up', code: type });
    });

    it('gives up without a fallback', () => {
      expect(decide(times(4, CLAUDE, type), { chain: [CLAUDE] })).toEqual({ step: 'give_up', code: type });
    });
  });

  describe('after an unreadable answer', () => {
    it('makes one correction, without delay, with the answer and its error', () => {
      expect(decide([call(CLAUDE, 'parsing')])).toEqual({
        step: 'call',
        index: 0,
        attempt: 2,
        delayMs: 0,
        retryOf: 'parsing',
        correction: { answer: '{"memories": [', problem: 'It ends too early.' },
      });
    });

    it('calls the fallback with the original prompt when the correction failed', () => {
      expect(decide(times(2, CLAUDE, 'parsing'))).toEqual({
        step: 'call',
        index: 1,
        attempt: 1,
        delayMs: 0,
        fallback: { from: 0, reason: 'parsing' },
      });
    });

    it('corrects the fallback’s answer once as well, then gives up', () => {
      const primary = times(2, CLAUDE, 'parsing');
      expect(decide([...primary, call(OPENAI, 'parsing')])).toMatchObject({ index: 1, correction: {} });
      expect(decide([...primary, ...times(2, OPENAI, 'parsing')])).toEqual({ step: 'give_up', code: 'parsing' });
    });

    it('continues with the correction after an outage instead of repeating the first call', () => {
      expect(decide([call(CLAUDE, 'parsing'), call(CLAUDE, 'transient')])).toMatchObject({
        index: 0,
        attempt: 3,
        delayMs: 500,
        retryOf: 'transient',
        correction: { answer: '{"memories": [' },
      });
    });
  });

  it.each(['authentication', 'invalid_request', 'policy', 'budget_exceeded', 'unknown'] as const)(
    'gives up without retry or fallback after %s',
    (type) => {
      expect(decide([call(CLAUDE, type)])).toEqual({ step: 'give_up', code: type });
      expect(decide([...times(4, CLAUDE, 'timeout'), call(OPENAI, type)])).toEqual({ step: 'give_up', code: type });
    },
  );

  it.each(['lost', 'aborted', 'ok'] as const)(
    'does not count a call that ended as %s as a failure of its provider',
    (outcome) => {
      expect(decide(times(9, CLAUDE, outcome))).toEqual({ step: 'call', index: 0, attempt: 10, delayMs: 0 });
    },
  );

  it('ignores calls of a provider that is no longer configured', () => {
    const removed = { provider: 'claude', model: 'former' };
    expect(decide([...times(4, removed, 'timeout'), call(removed, 'policy')])).toMatchObject({ index: 0, attempt: 1 });
  });

  describe('waiting', () => {
    it('uses Retry-After when it is longer than the backoff', () => {
      expect(decide([call(CLAUDE, 'rate_limit')], { retryAfterMs: 30_000 })).toMatchObject({ delayMs: 30_000 });
      expect(decide([call(CLAUDE, 'rate_limit')], { retryAfterMs: 10 })).toMatchObject({ delayMs: 500 });
    });

    it('starts at the failure, so that a worker that takes over does not wait twice', () => {
      expect(decide([call(CLAUDE, 'timeout', { at: NOW - 300 })])).toMatchObject({ delayMs: 200 });
      expect(decide([call(CLAUDE, 'timeout', { at: NOW - 60_000 })])).toMatchObject({ delayMs: 0 });
    });
  });

  describe('with an open circuit', () => {
    it('calls the fallback', () => {
      expect(decide([], { closed: new Map([[0, openUntil(NOW + 1)]]) })).toEqual({
        step: 'call',
        index: 1,
        attempt: 1,
        delayMs: 0,
        fallback: { from: 0, reason: 'circuit_open' },
      });
    });

    it('waits for the circuit with the earliest retry when all are open', () => {
      const closed = new Map([
        [0, openUntil(NOW + 30_000)],
        [1, openUntil(NOW + 10_000)],
      ]);
      expect(decide([], { closed })).toEqual({ step: 'wait', reason: 'circuit_open', until: NOW + 10_000 });
    });

    it('waits for the primary when the fallback’s retries are exhausted', () => {
      const step = decide(times(4, OPENAI, 'timeout'), { closed: new Map([[0, openUntil(NOW + 30_000)]]) });
      expect(step).toEqual({ step: 'wait', reason: 'circuit_open', until: NOW + 30_000 });
    });

    it('gives up when the open circuit belongs to a provider whose retries are exhausted', () => {
      const step = decide(times(4, CLAUDE, 'timeout'), {
        chain: [CLAUDE],
        closed: new Map([[0, openUntil(NOW + 30_000)]]),
      });
      expect(step).toEqual({ step: 'give_up', code: 'timeout' });
    });

    it('calls the primary again when its wait is over', () => {
      expect(decide([], { closed: new Map([[0, openUntil(NOW)]]) })).toMatchObject({ step: 'call', index: 0 });
    });
  });

  describe('with a Retry-After of more than a minute', () => {
    const hinted = [call(CLAUDE, 'rate_limit')];
    const retryAfterMs = 60_001;

    it('calls the fallback in the meantime', () => {
      expect(decide(hinted, { retryAfterMs })).toEqual({
        step: 'call',
        index: 1,
        attempt: 1,
        delayMs: 0,
        fallback: { from: 0, reason: 'rate_limit' },
      });
      const closed = new Map([[0, { reason: 'rate_limit', until: NOW + 61_000 } as const]]);
      expect(decide([], { closed })).toMatchObject({ index: 1, fallback: { from: 0, reason: 'rate_limit' } });
    });

    it.each([
      ['there is no fallback', { chain: [CLAUDE] }],
      ['the circuit of the fallback is open', { closed: new Map([[1, openUntil(NOW + 1_000)]]) }],
    ])('waits for the whole Retry-After when %s', (_why, more) => {
      expect(decide(hinted, { retryAfterMs, ...more })).toMatchObject({ step: 'call', index: 0, delayMs: 60_001 });
    });

    it('waits for a Retry-After of at most a minute', () => {
      expect(decide(hinted, { retryAfterMs: 60_000 })).toMatchObject({ step: 'call', index: 0, delayMs: 60_000 });
    });

    it('waits for the provider that is available first, and gives the reason', () => {
      const closed = new Map<number, ClosedProvider>([
        [0, { reason: 'rate_limit', until: NOW + 70_000 }],
        [1, openUntil(NOW + 90_000)],
      ]);
      expect(decide([], { closed })).toEqual({ step: 'wait', reason: 'rate_limit', until: NOW + 70_000 });
    });
  });

  it('reports the provider just before as the one that is replaced', () => {
    const chain = [CLAUDE, OPENAI, LOCAL];
    const calls = [...times(4, CLAUDE, 'timeout'), ...times(2, OPENAI, 'parsing')];
    expect(decide(calls, { chain })).toMatchObject({ index: 2, fallback: { from: 1, reason: 'parsing' } });
  });

  it('ends after a bounded number of calls, whatever the errors', () => {
    const link = fc.integer({ min: 0, max: 2 });
    const maxCalls = (1 + 3 + 1) * 3;
    fc.assert(
      fc.property(fc.infiniteStream(fc.constantFrom(...LLM_ERROR_TYPES)), link, (types, fallbacks) => {
        const chain = [CLAUDE, OPENAI, LOCAL].slice(0, fallbacks + 1);
        const calls: PastCall[] = [];
        for (const type of types) {
          const step = decide(calls, { chain });
          if (step.step !== 'call') break;
          calls.push(call(chain[step.index]!, type));
          expect(calls.length).toBeLessThanOrEqual(maxCalls);
        }
        expect(decide(calls, { chain }).step).toBe('give_up');
      }),
    );
  });
});
