import fc from 'fast-check';
import { applyDeltas, diffStates } from './state-delta.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');

/** A typical state of an agent: changed and unchanged parts are mixed. */
const makeState = (messages: readonly string[], step: number) =>
  bytes(JSON.stringify({ id: `step-${step}`, channel_values: { messages, step }, versions: { messages: step } }));

describe('the delta of two states', () => {
  it('converts any state to any next state', () => {
    const text = fc.uint8Array({ maxLength: 700 }).map((array) => Buffer.from(array));
    const related = fc
      .tuple(text, text, text, fc.array(fc.nat(399), { maxLength: 6 }))
      .map(([a, b, c, cuts]): [Buffer, Buffer] => {
        const old = Buffer.concat([a, b, c]);
        const parts = cuts.map((cut) => old.subarray(cut, cut + 90));
        return [old, Buffer.concat([c, ...parts, a, b])];
      });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(text, text), related), ([old, next]) => {
        expect(applyDeltas(old, [diffStates(old, next)]).equals(next)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('can be applied together with any number of deltas', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ maxLength: 60 }), { maxLength: 12 }), { minLength: 1 }), (steps) => {
        const states = steps.map((messages, step) => makeState(messages, step));
        const deltas = states.slice(1).map((state, index) => diffStates(states[index]!, state));
        states.forEach((state, index) => {
          expect(applyDeltas(states[0]!, deltas.slice(0, index)).toString()).toBe(state.toString());
        });
      }),
    );
  });

  it('has about the size of the new part, even if the state changes at both ends', () => {
    const messages = Array.from({ length: 200 }, (_, n) => `message ${n}: ${'words '.repeat(60)}${n * 7919}`);
    const delta = diffStates(makeState(messages, 41), makeState([...messages, 'one more'], 42));
    expect(delta.length).toBeLessThan(200);
  });

  it('copies moved parts, as in a window over the last messages', () => {
    const messages = Array.from({ length: 40 }, (_, n) => `message ${n} ${'abc '.repeat(30)}${n * 7919}`);
    const delta = diffStates(makeState(messages.slice(0, 30), 1), makeState(messages.slice(10, 31), 2));
    expect(delta.length).toBeLessThan(400);
  });

  it('contains no part of an unchanged state', () => {
    const state = makeState(['a', 'b'], 1);
    expect(diffStates(state, state).length).toBeLessThan(8);
    expect(applyDeltas(state, [diffStates(state, state)]).equals(state)).toBe(true);
  });

  it('takes linear time on repetitive input', () => {
    const old = Buffer.alloc(1_000_000, 'ab');
    const next = Buffer.alloc(999_999, 'ba');
    expect(applyDeltas(old, [diffStates(old, next)]).equals(next)).toBe(true);
  });

  it('is rejected when it makes another length than is expected, before it is composed', () => {
    const [old, next] = [bytes('a'.repeat(40)), bytes('a'.repeat(80))];
    const double = diffStates(old, Buffer.concat([old, old]));
    const deltas = [diffStates(old, next), ...Array.from({ length: 60 }, () => double)];
    expect(applyDeltas(old, deltas.slice(0, 1), [80]).equals(next)).toBe(true);
    expect(() => applyDeltas(old, deltas.slice(0, 1), [79])).toThrow('another length');
    expect(() => applyDeltas(old, deltas.slice(0, 1), [81])).toThrow('another length');
    expect(() => applyDeltas(old, deltas, [80, ...Array.from({ length: 60 }, () => 100)])).toThrow('another length');
  });

  it('is rejected when it is truncated or belongs to another state', () => {
    const delta = diffStates(bytes('a long enough state of something'), bytes('a long enough state of others'));
    expect(() => applyDeltas(bytes('short'), [delta])).toThrow('does not fit');
    expect(() => applyDeltas(bytes('a long enough state of something'), [delta.subarray(0, -1)])).toThrow('truncated');
  });
});
