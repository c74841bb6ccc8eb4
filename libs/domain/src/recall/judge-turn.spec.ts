import { type CitingFact, type EndedEcho, judgeTurn } from './judge-turn.js';

const fact = (id: string, hash: string, supersededBy: string | null = null): CitingFact => ({
  id,
  hash,
  supersededBy,
  replacedBy: supersededBy,
  validTo: supersededBy === null ? null : 100,
  holds: supersededBy === null,
});
const ended: CitingFact = { ...fact('a', 'pass'), validTo: 50, holds: false };
const echo: EndedEcho = { content: 'The user lives in Berlin.', replacedBy: 'x', validTo: 200 };

describe('judgeTurn', () => {
  it.each<[string, CitingFact[], ReturnType<typeof judgeTurn>['superseded']]>([
    ['no memory cites it', [], 'no'],
    ['its memory holds', [fact('a', 'berlin')], 'no'],
    ['its memory was superseded by one from another source', [fact('a', 'berlin', 'x')], 'wholly'],
    [
      'its memory was superseded by one that inherited it as a source',
      [fact('a', 'berlin', 'b'), fact('b', 'munich')],
      'wholly',
    ],
    [
      'the successor was superseded too',
      [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'hamburg')],
      'wholly',
    ],
    ['one of two memories holds', [fact('a', 'berlin', 'b'), fact('b', 'munich'), fact('d', 'likes tea')], 'partly'],
    [
      'the old content is valid again',
      [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'berlin')],
      'partly',
    ],
    ['its memory merely ended', [ended], 'partly'],
    ['its memory still held at the time', [{ ...fact('a', 'berlin', 'x'), holds: true }], 'no'],
  ])('when %s', (_case, facts, expected) => {
    expect(judgeTurn(facts, [], 0).superseded).toBe(expected);
  });

  it('names what replaced the newest that ended, and when', () => {
    const facts = [fact('a', 'berlin', 'x'), { ...fact('b', 'tea', 'y'), validTo: 300 }];
    expect(judgeTurn(facts, [echo], 0)).toMatchObject({ supersededBy: 'y', validTo: 300 });
    expect(judgeTurn([ended], [], 0)).toMatchObject({ supersededBy: null, validTo: null });
  });

  it('is over without memories of its own when a third of it repeats what ended', () => {
    expect(judgeTurn([], [echo], 1 / 3)).toEqual({ superseded: 'wholly', supersededBy: 'x', validTo: 200, states: [] });
    expect(judgeTurn([], [echo], 0.2)).toMatchObject({ superseded: 'partly', supersededBy: 'x' });
    expect(judgeTurn([fact('t', 'tea')], [echo], 1)).toMatchObject({ superseded: 'partly', states: ['t'] });
  });

  it('lists the memories that it states, without inherited ones', () => {
    expect(judgeTurn([fact('a', 'berlin', 'b'), fact('b', 'munich'), fact('d', 'tea')], [], 0).states).toEqual(['d']);
    // It states what holds again itself, so nothing else does in its place.
    const again = [{ ...fact('a', 'berlin', 'b'), replacedBy: 'c' }, fact('c', 'berlin')];
    expect(judgeTurn(again, [], 0)).toMatchObject({ superseded: 'partly', supersededBy: null, states: ['c'] });
  });
});
