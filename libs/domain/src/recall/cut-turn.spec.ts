import { measureCpuGrowth, MAX_LINEAR_GROWTH } from '@annals/testing';
import fc from 'fast-check';
import { runAtOnce } from '../text/sliced.js';
import { cutTurn } from './cut-turn.js';
import { createCosts } from './recall.fixture.js';

/** One token per word. */
const countTokens = (text: string) => text.split(/\s+/).filter(Boolean).length;
const cut = (content: string, query: string, maxTokens: number) =>
  runAtOnce(cutTurn(content, query, { maxTokens, countTokens }));

const ANSWER =
  'There are many ways to begin. First water the fern every second day. Then look at the light. ' +
  'A violin needs rosin and a soft cloth. Store it at 45.5 percent humidity. Enjoy your evening!';

describe('cutTurn', () => {
  it('does not change a turn that fits', () => {
    expect(cut(ANSWER, 'violin', 100)).toEqual({ content: ANSWER, isCut: false });
  });

  it('retains the sentences that match the query, in their order, and marks gaps', () => {
    expect(cut(ANSWER, 'How do I care for my violin?', 20)).toEqual({
      content: '… A violin needs rosin and a soft cloth. Store it at 45.5 percent humidity. …',
      isCut: true,
    });
    expect(cut(ANSWER, 'Which instrument was it?', 10)!.content).toBe('… A violin needs rosin and a soft cloth. …');
  });

  it('takes "the user" of a query for the person, not for a word of the turn', () => {
    const turn = 'Every user of it has to sign in. The film was a thriller.';
    expect(cut(turn, 'Which film was it that the user enjoyed?', 8)!.content).toBe('… The film was a thriller.');
  });

  it('counts each sentence once for any number of queries, and cuts as when it counts it for each', () => {
    const costs = createCosts();
    const counted: string[] = [];
    const options = { maxTokens: 20, costs, countTokens: (text: string) => (counted.push(text), countTokens(text)) };
    for (const query of ['violin', 'fern light', 'evening', 'violin']) {
      expect(runAtOnce(cutTurn(ANSWER, query, options))).toEqual(cut(ANSWER, query, 20));
    }
    const single = counted.filter((text) => /^… Then look at the light\. …$/.test(text));
    expect(single).toEqual(['… Then look at the light. …']);
    expect([...costs.keys].join(' ')).not.toMatch(/violin/i);
  });

  it('retains the beginning when nothing matches the query', () => {
    expect(cut(ANSWER, 'xylophone', 8)!.content).toBe('There are many ways to begin. …');
  });

  it('cuts a sentence that is too long between words', () => {
    expect(cut('one two three four five six seven eight', 'seven', 4)).toEqual({
      content: 'one two three …',
      isCut: true,
    });
  });

  it('returns null when nothing fits', () => {
    expect(cut(ANSWER, 'violin', 0)).toBeNull();
  });

  it('never exceeds the limit, reports a cut, and returns a text that fits unchanged', () => {
    const text = fc.array(fc.constantFrom('tea', 'red boat', 'moon?', 'a. ', 'b! ', '\n', '…', '3.5'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.nat({ max: 30 }), (words, maxTokens) => {
        const content = words.join(' ');
        const result = cut(content, 'red moon', maxTokens);
        if (result === null) return;
        expect(countTokens(result.content)).toBeLessThanOrEqual(maxTokens);
        expect(result.isCut).toBe(countTokens(content) > maxTokens);
        if (!result.isCut) expect(result.content).toBe(content);
      }),
    );
  });

  it.each(['It was a red moon. ', 'moon ', 'x'])(
    'takes linear time on %j, up to the maximum length of a message',
    (unit) => {
      const work = (size: number) => cut(unit.repeat(size / unit.length), 'red moon', 120);
      expect(measureCpuGrowth(work, 100_000)).toBeLessThan(MAX_LINEAR_GROWTH);
    },
  );
});
