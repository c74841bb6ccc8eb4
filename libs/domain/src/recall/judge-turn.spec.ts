import { type CitingFact, type EndedEcho, judgeTurn, keepHolding } from './judge-turn.js';
import { createCandidate } from './recall.fixture.js';

const fact = (id: string, hash: string, supersededBy: string | null = null): CitingFact => ({
  id,
  content: id,
  hash,
  quote: id,
  supersededBy,
  replacedBy: supersededBy,
  validTo: supersededBy === null ? null : 100,
  holds: supersededBy === null,
});
const ended: CitingFact = { ...fact('a', 'pass'), validTo: 50, holds: false };
const echo: EndedEcho = { content: 'The user lives in Berlin.', supersededBy: 'x', replacedBy: 'x', validTo: 200 };

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
    expect(judgeTurn(facts, [], null).superseded).toBe(expected);
  });

  it('names what replaced the newest that ended, and when', () => {
    const facts = [fact('a', 'berlin', 'x'), { ...fact('b', 'tea', 'y'), validTo: 300 }];
    expect(judgeTurn(facts, [echo], null)).toMatchObject({ supersededBy: 'y', validTo: 300 });
    expect(judgeTurn([ended], [], null)).toMatchObject({ supersededBy: null, validTo: null });
  });

  it('is over without a name for what replaced it when that was deleted', () => {
    const judged = judgeTurn([{ ...fact('a', 'berlin', 'x'), replacedBy: null }], [], null);
    expect(judged).toMatchObject({ superseded: 'wholly', supersededBy: null, validTo: 100 });
    expect(keepHolding(createCandidate('t', judged))).toBeNull();
  });

  it('is over without memories of its own when a third of it repeats what ended', () => {
    const besides = (share: number) => ({ share, rest: 'Hi.', isMixed: false });
    expect(judgeTurn([], [echo], besides(1 / 3))).toEqual({
      superseded: 'wholly',
      supersededBy: 'x',
      validTo: 200,
      states: [],
    });
    expect(judgeTurn([], [echo], besides(0.2))).toMatchObject({
      superseded: 'partly',
      supersededBy: 'x',
      holding: { content: 'Hi.', isMixed: false },
    });
    expect(judgeTurn([fact('t', 'tea')], [echo], besides(1))).toMatchObject({ superseded: 'partly', states: ['t'] });
  });

  it('lists the memories that it states, without inherited ones', () => {
    expect(judgeTurn([fact('a', 'berlin', 'b'), fact('b', 'munich'), fact('d', 'tea')], [], null).states).toEqual([
      'd',
    ]);
    // It states what holds again itself, so nothing else does in its place.
    const again = [{ ...fact('a', 'berlin', 'b'), replacedBy: 'c' }, fact('c', 'berlin')];
    expect(judgeTurn(again, [], null)).toMatchObject({ superseded: 'partly', supersededBy: null, states: ['c'] });
  });
});

describe('keepHolding', () => {
  const over = { superseded: 'partly', supersededBy: 'x', validTo: 1, content: 'I live in Berlin. I run.' } as const;

  it('keeps the sentences of a turn that hold, and nothing of one without any', () => {
    const holding = { content: 'I run.', isMixed: false };
    expect(keepHolding(createCandidate('t', { ...over, holding }))).toEqual(
      createCandidate('t', { content: 'I run.', holding }),
    );
    expect(keepHolding(createCandidate('t', { ...over, holding: { content: '', isMixed: false } }))).toBeNull();
    expect(keepHolding(createCandidate('t', { ...over, superseded: 'wholly' }))).toBeNull();
  });

  it('keeps a turn as one that is partly over when what is over cannot be told from the rest', () => {
    const holding = { content: 'I live in Berlin.', isMixed: true };
    expect(keepHolding(createCandidate('t', { ...over, holding }))).toEqual(
      createCandidate('t', { ...over, content: 'I live in Berlin.', holding }),
    );
  });

  it('changes no other candidate', () => {
    for (const candidate of [
      createCandidate('t', { superseded: 'partly' }),
      createCandidate('m', { ...over, kind: 'memory' }),
    ]) {
      expect(keepHolding(candidate)).toBe(candidate);
    }
  });
});
