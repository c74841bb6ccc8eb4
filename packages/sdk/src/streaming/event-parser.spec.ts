import fc from 'fast-check';
import { EventParser, type RawEvent } from './event-parser.js';

const parse = (...chunks: string[]): RawEvent[] => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};
const event = (data: string, rest: Partial<RawEvent> = {}) => ({ event: 'message', id: undefined, data, ...rest });

describe('EventParser', () => {
  it.each<[string, string, RawEvent[]]>([
    [
      'an event with all fields',
      'event: status\nid: 4\ndata: {"a":1}\n\n',
      [event('{"a":1}', { event: 'status', id: '4' })],
    ],
    ['several lines of data', 'data: a\ndata:b\ndata\n\n', [event('a\nb\n')]],
    ['only the first space of a value removed', 'data:  a\n\n', [event(' a')]],
    ['a colon in a value', 'data: a: b\n\n', [event('a: b')]],
    ['comments and unknown fields', ': heartbeat\nretry: 10\nmood: 1\ndata: a\n\n', [event('a')]],
    ['no event without data', 'event: status\n\n: heartbeat\n\n', []],
    [
      'an id that stays until the next one',
      'id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n',
      [event('a', { id: '1' }), event('b', { id: '1' }), event('c', { id: '' })],
    ],
    ['no id with a NUL character', 'id: a\0\ndata: a\n\n', [event('a')]],
    ['a name that belongs to one event', 'event: x\ndata: a\n\ndata: b\n\n', [event('a', { event: 'x' }), event('b')]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [event('a')]],
    ['no event that is not finished', 'data: a\n\ndata: b\n', [event('a')]],
  ])('reads %s', (_what, text, events) => {
    expect(parse(text)).toEqual(events);
    expect(parse(`${text.replaceAll('\n', '\r\n')}: end`)).toEqual(events);
    expect(parse(`${text.replaceAll('\n', '\r')}: end`)).toEqual(events);
  });

  it('reads the same however the text is cut', () => {
    const text = '\uFEFFevent: status\r\nid: 1\r\ndata: a\r\n\r\ndata: b\rdata: c\r\r: x\n\ndata: d\n\n';
    const whole = parse(text);
    expect(whole.map(({ data }) => data)).toEqual(['a', 'b\nc', 'd']);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: text.length })), (cuts) => {
        const ends = [...new Set([0, ...cuts, text.length])].toSorted((a, b) => a - b);
        expect(parse(...ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)))).toEqual(whole);
      }),
    );
  });
});
