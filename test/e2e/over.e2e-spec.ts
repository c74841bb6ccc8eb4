import type { MemoryQuery, QueryBullet, QueryHit } from '@annals/contracts';
import { type AnnalsSystem, ApiClient, startSystem, waitUntilDone } from '@annals/testing';

/** What somebody says, an assistant's repetition of it, and what ends it. */
interface Ending {
  readonly about: string;
  readonly said: string;
  readonly echo: string;
  readonly later: string;
  readonly question: string;
  /** Words of what is over. */
  readonly over: RegExp;
}

const ENDINGS: readonly Ending[] = [
  {
    about: 'home',
    said: 'I live in Lisbon.',
    echo: 'Great that you live in Lisbon!',
    later: 'I moved to Porto last month.',
    question: 'Where does the user live? In Lisbon?',
    over: /Lisbon/,
  },
  {
    about: 'work',
    said: 'I work at Zeiss.',
    echo: 'Working at Zeiss sounds great for you.',
    later: 'I work at Bosch now.',
    question: 'Where does the user work?',
    over: /Zeiss/,
  },
  {
    about: 'allergy',
    said: "I'm allergic to peanuts.",
    echo: 'Noted, you are allergic to peanuts. I left them out.',
    later: 'I am no longer allergic to peanuts.',
    question: 'Is the user allergic to peanuts?',
    over: /(?<!no longer )allergic to peanuts/,
  },
  {
    about: 'chess',
    said: 'I play chess.',
    echo: 'Nice that you play chess.',
    later: 'I stopped playing chess.',
    question: 'Does the user play chess?',
    over: /\bplays? chess/,
  },
  {
    about: 'server',
    said: 'The staging server is eu-3.',
    echo: 'OK, the staging server is eu-3.',
    later: 'The staging server is eu-4 now.',
    question: 'Which server is the staging server?',
    over: /eu-3/,
  },
  {
    about: 'diet',
    said: "I'm vegetarian.",
    echo: 'As you are vegetarian, here are three recipes.',
    later: 'I am vegan now.',
    question: 'What diet does the user have? Vegetarian?',
    over: /vegetarian/,
  },
  {
    about: 'taste',
    said: 'I love pizza.',
    echo: 'Since you love pizza, try this place.',
    later: 'I hate pizza now.',
    question: 'What does the user think of pizza?',
    over: /loves? pizza/,
  },
  {
    about: 'cats',
    said: 'I have two cats.',
    echo: 'Your two cats must be happy.',
    later: 'I have three cats now.',
    question: 'How many cats does the user have?',
    over: /two cats/,
  },
  {
    about: 'manager',
    said: "Ana's manager is Li.",
    echo: "Li is Ana's manager, so copy her in.",
    later: "Ana's manager is Kim now.",
    question: "Who is Ana's manager?",
    over: /\bLi\b/,
  },
  {
    about: 'restatement',
    said: 'I live in Graz. As I said, I am living in Graz.',
    echo: 'You live in Graz, lovely.',
    later: 'I moved to Linz.',
    question: 'Where does the user live? In Graz?',
    over: /Graz/,
  },
];

let system: AnnalsSystem;
let client: ApiClient;
beforeAll(async () => {
  system = await startSystem({ env: { ANNALS_BATCH_WINDOW_MS: '0', ANNALS_RATE_LIMIT_PER_MINUTE: '100000' } });
  client = new ApiClient(() => system.nextUrl(), system.tenantKey);
});
afterAll(() => system?.close());

describe('what is over', () => {
  const userOf = ({ about }: Ending) => `over ${about}`;

  const post = async (userId: string, day: string, ...turns: (readonly ['user' | 'assistant', string])[]) => {
    const messages = turns.map(([role, content]) => ({ role, content, created_at: `${day}T12:00:00Z` }));
    const body = { user_id: userId, thread_id: 'life', flush: true, messages };
    const { batch_ids } = await client.must('postConversation', { body });
    await waitUntilDone(client, batch_ids, { explain: () => system.lastLines });
  };
  const tell = async (ending: Ending) => {
    const userId = userOf(ending);
    await post(userId, '2026-01-10', ['user', ending.said], ['assistant', ending.echo]);
    await post(userId, '2026-05-03', ['user', ending.later]);
  };
  const ask = async (userId: string, query: string, rest: Partial<MemoryQuery> = {}) => {
    const body = { query, filters: { user_id: userId }, top_k: 20, budget_tokens: 4_000, ...rest };
    return (await client.must('queryMemory', { body })).memories;
  };
  const textsOf = (memories: readonly QueryBullet[]) => memories.map(({ text }) => text);

  beforeAll(() => Promise.all(ENDINGS.map(tell)));

  const cases = ENDINGS.map((ending) => [ending.about, ending] as const);

  it.each(cases)('is not among bullets beside what replaced it: %s', async (_about, ending) => {
    const texts = textsOf(await ask(userOf(ending), ending.question));
    expect(texts).not.toEqual([]);
    expect(texts.filter((text) => ending.over.test(text))).toEqual([]);
  });

  it.each(cases)('is not in an answer of what holds now: %s', async (_about, ending) => {
    for (const rest of [{}, { types: ['turn' as const] }, { return: 'full' as const }]) {
      const texts = textsOf(await ask(userOf(ending), ending.question, { current: true, ...rest }));
      expect(texts.filter((text) => ending.over.test(text))).toEqual([]);
    }
  });

  it.each(cases)('says since when, and comes after what replaced it: %s', async (_about, ending) => {
    const hits = (await ask(userOf(ending), ending.question, { return: 'full' })) as QueryHit[];
    const over = hits.filter(({ text }) => ending.over.test(text));
    expect(over.map(({ content }) => content)).toEqual(expect.arrayContaining([ending.said, ending.echo]));
    for (const turn of over) {
      expect(turn).toMatchObject({ type: 'turn', superseded_by: expect.any(String) });
      expect(turn.text).toMatch(turn.superseded ? /; until \d/ : /; in part until \d/);
      expect(turn.valid_to).not.toBeNull();
      const newer = hits.findIndex(({ id }) => id === turn.superseded_by);
      expect(newer).toBeGreaterThanOrEqual(0);
      expect(hits.indexOf(turn)).toBeGreaterThan(newer);
    }
  });

  it.each(cases)('held before: %s', async (_about, ending) => {
    const texts = textsOf(await ask(userOf(ending), ending.question, { as_of: '2026-02-01T00:00:00Z' }));
    expect(texts.filter((text) => ending.over.test(text))).not.toEqual([]);
    expect(texts.filter((text) => text.includes('until'))).toEqual([]);
  });

  it('is kept on request', async () => {
    const [home] = ENDINGS;
    const texts = textsOf(await ask(userOf(home!), home!.question, { current: false }));
    expect(texts).toContainEqual(expect.stringContaining(home!.echo));
  });
});

describe('what was deleted', () => {
  const userId = 'ada';
  const said = "I'm allergic to peanuts.";
  const echoes = ['Noted, you are allergic to peanuts.', 'Given your peanut allergy, avoid satay.'];

  beforeAll(async () => {
    await post('first', ['user', said], ['assistant', echoes[0]!]);
    await post('second', ['user', 'What is in satay?'], ['assistant', echoes[1]!]);
    await post('second', ['user', 'My son loves peanuts.']);
  });

  const post = async (threadId: string, ...turns: (readonly ['user' | 'assistant', string])[]) => {
    const messages = turns.map(([role, content]) => ({ role, content }));
    const body = { user_id: userId, thread_id: threadId, flush: true, messages };
    const { batch_ids } = await client.must('postConversation', { body });
    await waitUntilDone(client, batch_ids, { explain: () => system.lastLines });
  };
  const ask = async (rest: Partial<MemoryQuery> = {}) => {
    const query = 'Is the user allergic to peanuts? A peanut allergy, satay?';
    const body = { query, filters: { user_id: userId }, top_k: 20, budget_tokens: 4_000, ...rest };
    return (await client.must('queryMemory', { body })).memories.map(({ text }) => text);
  };
  const aboutAllergy = (texts: readonly string[]) => texts.filter((text) => /allerg/.test(text));
  const find = async () => {
    const { items } = await client.must('listMemories', { query: { user_id: userId, limit: 100 } });
    return items.find(({ content }) => content.includes('allergic'))!;
  };

  it('takes its echoes along in every conversation, and brings them back when it is restored', async () => {
    const before = await ask({ types: ['turn'] });
    expect(aboutAllergy(before)).toHaveLength(3);
    const { id } = await find();
    await client.must('deleteMemory', { params: { id } });
    expect(aboutAllergy(await ask())).toEqual([]);
    expect(aboutAllergy(await ask({ as_of: new Date().toISOString() }))).toEqual([]);
    expect(await ask()).toContainEqual(expect.stringContaining('son loves peanuts.'));
    const { items } = await client.must('getMemoryHistory', { params: { id } });
    const { meta } = items.find(({ event }) => event === 'DELETE')!;
    expect(meta).toMatchObject({ hides: expect.arrayContaining([expect.any(String)]) });
    expect((meta as { hides: string[] }).hides).toHaveLength(3);
    await client.must('restoreMemory', { params: { id } });
    expect(await ask({ types: ['turn'] })).toEqual(before);
  });

  it('is not told again by what an assistant repeats later', async () => {
    const { id } = await find();
    await client.must('deleteMemory', { params: { id } });
    await post('third', ['user', 'Any dessert ideas?'], ['assistant', 'You are allergic to peanuts, so no brittle.']);
    expect(aboutAllergy(await ask())).toEqual([]);
    expect(await find()).toBeUndefined();
  });
});
