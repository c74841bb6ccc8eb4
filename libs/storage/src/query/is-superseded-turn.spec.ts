import { type CitingFact, isSupersededTurn } from './is-superseded-turn.js';

const fact = (id: string, hash: string, supersededBy: string | null = null): CitingFact => ({
  id,
  hash,
  supersededBy,
  holds: supersededBy === null,
});

describe('isSupersededTurn', () => {
  it.each<[string, CitingFact[], boolean]>([
    ['nothing was learnt from it', [], false],
    ['its fact holds', [fact('a', 'berlin')], false],
    ['its fact was superseded by what was said elsewhere', [fact('a', 'berlin', 'x')], true],
    ['its fact was superseded by one that inherited it', [fact('a', 'berlin', 'b'), fact('b', 'munich')], true],
    [
      'the successor was superseded too',
      [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'hamburg')],
      true,
    ],
    ['one of two facts holds', [fact('a', 'berlin', 'b'), fact('b', 'munich'), fact('d', 'likes tea')], false],
    ['the old words are true again', [fact('a', 'berlin', 'b'), fact('b', 'munich', 'c'), fact('c', 'berlin')], false],
    ['its fact merely ended', [{ id: 'a', hash: 'pass', supersededBy: null, holds: false }], false],
    ['its fact still held then', [{ id: 'a', hash: 'berlin', supersededBy: 'x', holds: true }], false],
  ])('when %s', (_case, facts, expected) => {
    expect(isSupersededTurn(facts)).toBe(expected);
  });
});
