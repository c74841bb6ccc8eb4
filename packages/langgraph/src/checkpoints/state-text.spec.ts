import fc from 'fast-check';
import { decodeState, encodeState } from './state-text.js';

const checkpoint = { v: 4, id: 'c', ts: '', channel_versions: {}, versions_seen: {} };
const typed = fc.record({ type: fc.constantFrom('json', 'bytes;base64'), text: fc.string({ unit: 'binary' }) });

describe('the text of a state', () => {
  it('gives back what it was made from', () => {
    fc.assert(
      fc.property(typed, fc.array(fc.tuple(fc.string({ unit: 'binary' }), typed)), (metadata, entries) => {
        const state = { checkpoint, metadata, channels: new Map(entries) };
        expect(decodeState(encodeState(state))).toEqual(state);
      }),
    );
  });

  it('contains values as they are, so that one that grows keeps its bytes', () => {
    const encode = (text: string) =>
      encodeState({
        checkpoint,
        metadata: { type: 'json', text: '{}' },
        channels: new Map([['a', { type: 'json', text }]]),
      });
    expect(encode('["say \\"hi\\""]').endsWith('\n{}["say \\"hi\\""]')).toBe(true);
  });

  it.each(['{"a":1}', 'anything\nelse', '', 'null\n'])('of another program is refused: %j', (text) => {
    expect(() => decodeState(text)).toThrow(/was not stored by @annals\/langgraph/);
  });

  it('of a later format is refused with what to do', () => {
    expect(() => decodeState('{"format":2}\n')).toThrow(/format 2.*reads 1: update it/);
  });
});
