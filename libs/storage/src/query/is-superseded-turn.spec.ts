import { type CitingFact, isSupersededTurn } from './hydrate.js';

const fact = (id: string, hash: string, supersededBy: string | null = null): CitingFact => ({
  id,
  hash,
  supersededBy,
  holds: supersededBy === null,
});

describe('isSupersededTurn', () => {
  it.each<[string, CitingFact[], boolean]>([
    ['no memory cites it', [], false],
    ['its memory holds', [fact('a', 'berlin')], false],
    ['its memory was superseded by one from another source', [fact('a', 'berlin', 'x')], true],
    [
      'its memory was superseded by one that inherited it as a source',
      [fact('a', 'berlin', 'b'), fact('b', 'munich')],
      true,
    ],
    [
      'the successor was superseded too',
      [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'hamburg')],
      true,
    ],
    ['one of two memories holds', [fact('a', 'berlin', 'b'), fact('b', 'munich'), fact('d', 'likes tea')], false],
    [
      'the old content is valid again',
      [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'berlin')],
      false,
    ],
    ['its memory merely ended', [{ id: 'a', hash: 'pass', supersededBy: null, holds: false }], false],
    ['its memory still held at the time', [{ id: 'a', hash: 'berlin', supersededBy: 'x', holds: true }], false],
  ])('when %s', (_case, facts, expected) => {
    expect(isSupersededTurn(facts)).toBe(expected);
  });
});
