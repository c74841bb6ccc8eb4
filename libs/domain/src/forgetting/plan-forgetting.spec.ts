import type { TurnSpeaker } from '../echoes/read-turn.js';
import { type Forgettable, planForgetting } from './plan-forgetting.js';
import { readForgetRequest } from './read-request.js';

/**
 * Memories as `[content, quoted turn]` and turns as `content`, said by the user or, with "A: ", by an assistant, with "O: "
 * by another participant.
 */
function store(turns: readonly string[], memories: readonly (readonly [content: string, turn: number])[]): Forgettable {
  const said = turns.map((turn, index) => ({
    id: `t${index}`,
    content: turn.replace(/^[AO]: /u, ''),
    speaker: speakerOf(turn),
    echoOf: [],
  }));
  const kept = memories.map(([content, turn], index) => ({
    id: `m${index}`,
    content,
    type: 'semantic',
    isManual: false,
    sources: [{ messageId: `t${turn}`, quote: said[turn]!.content }],
  }));
  return {
    walkMemories: async (visit) => kept.forEach(visit),
    walkTurns: async (visit) => said.forEach(visit),
    walkOthers: async () => undefined,
    findMemoriesFrom: async (ids) =>
      kept.filter(({ sources }) => sources.some(({ messageId }) => ids.includes(messageId))),
  };
}

function speakerOf(turn: string): TurnSpeaker {
  if (turn.startsWith('O: ')) return { is: 'other', name: 'eva' };
  return { is: turn.startsWith('A: ') ? 'assistant' : 'user' };
}

const plan = async (text: string, stored: Forgettable) => {
  const outcome = await planForgetting(readForgetRequest(text)!, stored);
  if (outcome.outcome === 'ambiguous') return { candidates: outcome.candidates.map((one) => one.text).toSorted() };
  const { memoryIds, cuts, still } = outcome.plan;
  return {
    memories: memoryIds,
    rests: Object.fromEntries(cuts.map(({ messageId, rest }) => [messageId, rest])),
    still: still.map(({ id, why }) => `${id} ${why}`).toSorted(),
  };
};

describe('what goes', () => {
  it('is a statement with its sentence, and not what else the turn says', async () => {
    const stored = store(
      ['I live in Lisbon. My cat is old.', 'A: You live in Lisbon!'],
      [['The user lives in Lisbon.', 0]],
    );
    expect(await plan('forget that I live in Lisbon', stored)).toEqual({
      memories: ['m0'],
      rests: { t0: 'My cat is old.', t1: '' },
      still: [],
    });
  });

  it('leaves a fact of the same sentence, without its quote', async () => {
    const stored = store(
      ['I live in Lisbon and have a dog Rex.'],
      [
        ['The user lives in Lisbon.', 0],
        ['The user has a dog Rex.', 0],
      ],
    );
    const outcome = await planForgetting(readForgetRequest('forget that I live in Lisbon')!, stored);
    expect(outcome).toMatchObject({
      plan: { memoryIds: ['m0'], lostQuotes: [{ memoryId: 'm1', messageId: 't0', quote: '' }] },
    });
  });

  it('is not what is asked, denied, or said of somebody else', async () => {
    const stored = store(
      [
        'Do I live in Lisbon?',
        'I do not live in Lisbon.',
        'My aunt lives in Lisbon.',
        'A: Your aunt lives in Lisbon.',
        'I think that Ben lives in Lisbon.',
        'I love Lisbon, where my aunt lives.',
      ],
      [],
    );
    expect(await plan('forget that I live in Lisbon', stored)).toEqual({
      memories: [],
      rests: {},
      still: [0, 1, 2, 3, 4, 5].map((turn) => `t${turn} other_subject`),
    });
  });

  it.each([
    ['I live in Lisbon', 'I have always lived in Lisbon, you know.'],
    ['I live in Lisbon', "I'm living in Lisbon now."],
    ['I live in Lisbon', 'My husband and I live in Lisbon.'],
    ['I live in Lisbon', 'A: Since you live in Lisbon, the ferry is near.'],
    ['my dog is called Rex', 'My old dog is called Rex.'],
    ['my dog is called Rex', 'A: Your dog is called Rex, I remember.'],
    ["I'm allergic to nuts", 'I am very allergic to nuts.'],
  ])('is said in other words, too: "%s" by "%s"', async (text, turn) => {
    expect(await plan(text, store([turn], []))).toMatchObject({ rests: { t0: '' } });
  });

  it('is an ex with the name, wherever it stands, and not the ex of another', async () => {
    const stored = store(
      ['My ex Tom likes jazz.', 'I saw Tom. It rained.', "Ben's ex moved.", 'Tomas called.'],
      [['The user saw Tom.', 1]],
    );
    expect(await plan('everything about my ex', stored)).toEqual({
      memories: ['m0'],
      rests: { t0: '', t1: 'It rained.' },
      still: ['t2 other_subject'],
    });
  });

  it('is an ex by who speaks of one', async () => {
    const turns = ['A: How is your ex?', 'O: My ex sings.', 'I met an ex.', 'A: My ex sings.'];
    expect(await plan('everything about my ex', store(turns, []))).toEqual({
      memories: [],
      rests: { t0: '', t2: '' },
      still: ['t1 other_subject', 't3 other_subject'],
    });
  });

  it.each([
    ['everything about my ex', ['My ex Tom sings.', 'My ex Paul sings.'], ['my ex Paul', 'my ex Tom']],
    ['everything about Ana', ['I met Ana Silva.', 'I met Ana Costa.'], ['Ana Costa', 'Ana Silva']],
    ['everything about Ana', ['My sister Ana sings.', 'My boss Ana sings.'], ['my boss Ana', 'my sister Ana']],
    ['4711', ['I paid order 4711.', 'I picked up parcel 4711.'], ['order 4711', 'parcel 4711']],
  ])('is refused where two subjects fit: %s', async (text, turns, candidates) => {
    expect(await plan(text, store(turns, []))).toEqual({ candidates });
    // Each candidate fits one alone.
    for (const candidate of candidates) {
      const one = await plan(candidate, store(turns, []));
      expect(Object.keys((one as { rests: object }).rests)).toHaveLength(1);
    }
  });

  it('leaves a bare name that may mean either, and says so', async () => {
    const stored = store(['I met Ana Silva.', 'I met Ana Costa.', 'Ana sings.'], []);
    expect(await plan('everything about Ana Silva', stored)).toEqual({
      memories: [],
      rests: { t0: '' },
      still: ['t1 other_subject', 't2 unclear_subject'],
    });
  });

  it('is what rests on the sentences of a subject alone', async () => {
    const stored = store(['My ex Tom and I went to Porto.'], [['The user went to Porto.', 0]]);
    expect(await plan('everything about my ex', stored)).toMatchObject({ memories: ['m0'] });
  });

  it('is never a part of a longer word or number', async () => {
    const stored = store(
      ['Order 47110 came.', 'Order 4711-2 came.', 'Order AB-4711 came.', 'Anabel sings.', 'Ana-Maria sings.'],
      [],
    );
    expect(await plan('order 4711', stored)).toEqual({ memories: [], rests: {}, still: [] });
    expect(await plan('everything about Ana', stored)).toEqual({ memories: [], rests: {}, still: [] });
  });

  it.each([
    ['order 4711', 'I won 4711 euros.'],
    ['order 4711', 'It costs $4711 now.'],
    ['4711', 'About 4711% more.'],
    ['everything about my ex', 'My ex-boss sings.'],
    ['everything about my sister', 'My sister-in-law sings.'],
    ['everything about my sister', 'My sister in law sings.'],
    ['everything about my mother', 'My mother tongue is Welsh.'],
    ['everything about Ana', 'I swam in Lake Ana.'],
    ['everything about Ana', 'I live in Ana Street.'],
    ['everything about Ana', 'Lake Ana is cold.'],
    ['everything about Ana', 'I flew to St. Ana.'],
    ['4711', 'The repair was 4711 euros.'],
    ['invoice 4711', 'The invoice is 4711 euros.'],
    ['4711', 'It weighs ₹4711.'],
    ['4711', 'I owe 4711 zł.'],
    ['everything about my sister', 'My sister‑in‑law sings.'],
    ['everything about my sister', 'My step sister sings.'],
    ['everything about my wife', 'My ex wife sings.'],
    ['everything about my ex', 'My ex boss sings.'],
  ])('is not what only shares a word: "%s" and "%s"', async (text, turn) => {
    expect(await plan(text, store([turn], []))).toEqual({ memories: [], rests: {}, still: ['t0 other_subject'] });
  });

  it.each([
    ['order 4711', 'I paid order 4711 euros and all.'],
    ['everything about my ex', 'My ex-husband sings.'],
    ['everything about Ana', 'Ana Hill sings.'],
    ['everything about Ana', 'My sister Ana Bridge sings.'],
    ['everything about Heathrow', 'I land at Heathrow Airport.'],
    ['apartment 4711', 'I left apartment 4711 weeks ago.'],
    ['forget my PIN 4711', 'My PIN is 4711.'],
    ['job 4711', 'My job number is 4711.'],
    ['B42', 'I was at B42 minutes ago.'],
  ])('is what only looks like something else: "%s" and "%s"', async (text, turn) => {
    expect(await plan(text, store([turn], []))).toMatchObject({ rests: { t0: '' } });
  });

  it('leaves a stranger with the first name of an ex, and says so', async () => {
    const stored = store(['My ex Tom sings.', 'Tom Weber called.', 'My ex Tom Weber sings.'], []);
    expect(await plan('everything about my ex', stored)).toMatchObject({
      rests: { t0: '', t1: '', t2: '' },
      still: [],
    });
    const stranger = store(['My ex Tom sings.', 'Tom Weber called.', 'Tom left.'], []);
    expect(await plan('everything about my ex', stranger)).toMatchObject({
      rests: { t0: '', t2: '' },
      still: ['t1 unclear_subject'],
    });
  });

  it('is not what has a decimal part', async () => {
    const stored = store(['I paid 4711,50 euros.', 'I paid 4,711 euros.'], []);
    expect(await plan('4711', stored)).toEqual({ memories: [], rests: {}, still: [] });
  });

  it('leaves a hotel with the name of a person, and says that it is unclear', async () => {
    const stored = store(['I met Ana.', 'I slept at the Hotel Ana.'], []);
    expect(await plan('everything about Ana', stored)).toMatchObject({
      rests: { t0: '' },
      still: ['t1 unclear_subject'],
    });
  });

  it('knows an ex by the surnames that were said of them, and by no others', async () => {
    const said = store(['My ex Tom Weber sings.', 'I met Tom Miller.', 'I saw Tom Weber again.'], []);
    expect(await plan('everything about my ex', said)).toMatchObject({
      rests: { t0: '', t2: '' },
      still: ['t1 unclear_subject'],
    });
    const before = store(['Dr. Tom Weber, my ex, sings.', 'I saw Tom Weber again.'], []);
    expect(await plan('everything about my ex', before)).toMatchObject({ rests: { t0: '', t1: '' }, still: [] });
    const two = store(['My ex Jerry Smith sings.', 'My ex Tom sings.', 'Our mailman is Tom Smith.'], []);
    expect(await plan('everything about my ex Tom', two)).toMatchObject({
      still: ['t0 other_subject', 't2 unclear_subject'],
    });
    const city = store(['My ex Tom sings.', 'In Paris Tom proposed to me.'], []);
    expect(await plan('everything about my ex', city)).toMatchObject({ rests: { t0: '', t1: '' } });
  });
});
