import type { QueryHit } from '@annals/contracts';
import {
  type AnnalsSystem,
  ApiClient,
  LIFE_SCRIPTS,
  type LifeScript,
  startSystem,
  waitUntilDone,
} from '@annals/testing';

describe('the memory of ten people whose lives change', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startSystem({ env: { ANNALS_BATCH_WINDOW_MS: '0', ANNALS_RATE_LIMIT_PER_MINUTE: '100000' } });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await Promise.all(LIFE_SCRIPTS.map(tell));
  });
  afterAll(() => system?.close());

  const userOf = ({ person }: LifeScript) => `life of ${person}`;
  const tell = async (life: LifeScript) => {
    for (const { day, words } of life.turns) {
      const message = { role: 'user' as const, content: words, created_at: `${day}T12:00:00Z` };
      const body = { user_id: userOf(life), thread_id: 'life', flush: true, messages: [message] };
      const { batch_ids } = await client.must('postConversation', { body });
      await waitUntilDone(client, batch_ids, { explain: () => system.lastLines });
    }
  };
  const ask = async (life: LifeScript, query: string, as_of?: string) => {
    const body = {
      query,
      filters: { user_id: userOf(life) },
      types: ['semantic' as const, 'episodic' as const],
      return: 'full' as const,
      top_k: 50,
      budget_tokens: 8_000,
      ...(as_of === undefined ? {} : { as_of }),
    };
    const { memories } = await client.must('queryMemory', { body });
    return (memories as QueryHit[]).map(({ content }) => content.toLowerCase());
  };
  const listAll = async (life: LifeScript) =>
    (await client.must('listMemories', { query: { user_id: userOf(life), include_superseded: 'true', limit: 100 } }))
      .items;
  const parts = (pick: 'now' | 'over') =>
    LIFE_SCRIPTS.flatMap((life) => life[pick].map((part) => [life.person, part, life] as const));

  it.each(parts('now'))('of %s serves what holds: %s', async (_person, part, life) => {
    expect(await ask(life, part)).toContainEqual(expect.stringContaining(part.toLowerCase()));
  });

  it.each(parts('over'))('of %s serves what is over in its history only: %s', async (_person, part, life) => {
    expect(await ask(life, part)).not.toContainEqual(expect.stringContaining(part.toLowerCase()));
    const told = (await listAll(life)).filter(({ content }) => content.toLowerCase().includes(part.toLowerCase()));
    expect(told).not.toEqual([]);
    for (const { valid_to } of told) expect(valid_to).not.toBeNull();
  });

  it('answers as of each home of a chain of five', async () => {
    const life = LIFE_SCRIPTS.find(({ person }) => person === 'jonas')!;
    const homes: string[] = [];
    for (const day of ['2025-02-01', '2025-04-01', '2025-06-01', '2025-08-01', '2025-10-01', '2025-12-01']) {
      const held = await ask(life, 'Where does the user live?', `${day}T00:00:00Z`);
      homes.push(held.find((content) => /^the user (?:lives|moved)/.test(content)) ?? '');
    }
    expect(homes).toEqual([
      'the user lives in berlin.',
      'the user moved to munich.',
      'the user moved to hamburg.',
      'the user moved to cologne.',
      'the user moved to leipzig.',
      'the user moved back to berlin.',
    ]);
  });
});
