import type { MindRun, QueryHit } from '@annals/contracts';
import { type AnnalsSystem, type ApiClient, LIFE_SCRIPTS, sized, startSystem, waitUntil } from '@annals/testing';
import { Timeline } from './timeline.fixture.js';

/** Somebody whom the minds have much to think about. */
const BUSY = 'otto';
const SAID_BY_BUSY: readonly (readonly [day: string, words: string])[] = [
  ['2026-01-05', 'I own a red bicycle. The deadline for the report on the harbour of Porto worries me.'],
  ['2026-02-10', 'Another deadline tomorrow, I am nervous. I wrote 40 pages about the old cranes in 2 weeks.'],
  ['2026-03-15', 'My boss moved the deadline again. She wants 3 more chapters about ferries and a map of the quays.'],
  ['2026-03-30', 'My brother Ben repairs boats in Faro. He lent me his workshop for the whole summer.'],
  ['2026-04-20', 'I own a red bicycle called Rosa. I dread the next deadline.'],
];
const AS_OF = [undefined, '2025-06-01T00:00:00Z', '2026-03-01T00:00:00Z'];
const FAREWELL = 'Thanks, bye!';

/** The life scripts, before the minds have thought about anything and after all of them have thought about everything. */
describe('a full run of all minds', () => {
  const lives = LIFE_SCRIPTS.slice(0, sized(1, LIFE_SCRIPTS.length));
  const people = [...lives.map(({ person }) => person), BUSY];
  let system: AnnalsSystem;
  let timeline: Timeline;
  let client: ApiClient;
  let before: Awaited<ReturnType<typeof askAll>>;
  let runs: readonly MindRun[];

  beforeAll(async () => {
    const env = { ANNALS_BATCH_WINDOW_MS: '0', ANNALS_RATE_LIMIT_PER_MINUTE: '100000' };
    system = await startSystem({ env, minds: 1 });
    timeline = new Timeline(system);
    ({ client } = timeline);
    await Promise.all([
      ...lives.map(async ({ person, turns }) => {
        for (const { day, words } of turns) await timeline.say(person, day, words);
      }),
      (async () => {
        for (const [day, words] of SAID_BY_BUSY) await timeline.say(BUSY, day, words);
      })(),
    ]);
    before = await askAll();
    await Promise.all(system.processes.map((process) => process.stop()));
    await Promise.all(system.processes.map((process) => process.start({ ANNALS_MINDS: 'on' })));
    await runAllMinds();
    runs = (await client.must('listMindRuns', { query: { limit: 200 } })).items;
  });
  afterAll(() => system?.close());

  const runAllMinds = async () => {
    // A batch asks for insights, the end of a conversation for its summary.
    for (const person of people) {
      const { conversation_id: id } = await client.must('postConversation', {
        body: {
          user_id: person,
          thread_id: 'life',
          flush: true,
          messages: [{ role: 'user', content: FAREWELL, created_at: '2026-07-01T12:00:00Z' }],
        },
      });
      await client.must('endConversation', { params: { id } });
      await client.must('startConsolidation', { body: { user_id: person } });
    }
    await waitUntil(
      async () => {
        const { items } = await client.must('listMindRuns', { query: { limit: 200 } });
        const ended = items.filter(({ state }) => state === 'done').map(({ kind, user_id }) => `${kind} ${user_id}`);
        const summaries = await client.must('listWork', { query: { kind: 'summary' } });
        // A short conversation has no summary, and no run.
        const wanted = people.flatMap((person) => [`insights ${person}`, `consolidation ${person}`]);
        // The batch itself asks for one too, as soon as the conversation is idle for minutes.
        const lastEnd = Math.max(...items.map(({ ended_at }) => Date.parse(ended_at ?? '')).filter(Number.isFinite));
        const isLater = ({ due_at }: { due_at: string }) => Date.parse(due_at) > lastEnd + 60_000;
        return summaries.items.every(isLater) && wanted.every((one) => ended.includes(one));
      },
      { describe: 'every mind has run for everybody' },
    );
  };
  const ask = async (userId: string, query: string, asOf?: string) => {
    const body = {
      query,
      filters: { user_id: userId },
      types: ['semantic' as const, 'episodic' as const],
      return: 'full' as const,
      top_k: 50,
      budget_tokens: 8_000,
      ...(asOf === undefined ? {} : { as_of: asOf }),
    };
    const { memories } = await client.must('queryMemory', { body });
    const contents = (memories as QueryHit[]).map(({ content }) => content);
    // The order may change: what was asked for often becomes more important.
    return contents.filter((content) => !content.includes(FAREWELL)).toSorted((a, b) => a.localeCompare(b));
  };
  /** What each part of each life is answered with, now and at other times. */
  const askAll = async () => {
    const answers: Record<string, readonly string[]> = {};
    for (const { person, now, over } of lives) {
      for (const part of [...now, ...over]) {
        for (const asOf of AS_OF) answers[`${person}: ${part} as of ${asOf ?? 'now'}`] = await ask(person, part, asOf);
      }
    }
    return answers;
  };

  it('is one: each mind made something', () => {
    const sum = (kind: string, name: string) =>
      runs.filter((run) => run.kind === kind).reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
    expect(sum('insights', 'created')).toBeGreaterThan(0);
    expect(sum('summary', 'summaries')).toBeGreaterThan(0);
    expect(sum('consolidation', 'merges')).toBeGreaterThan(0);
  });

  it('leaves every answer about a life as it was', async () => {
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(lives.length * 30);
    expect(await askAll()).toEqual(before);
  });

  it('loses nothing that it merged', async () => {
    const held = (await ask(BUSY, 'bicycle')).filter((content) => content.includes('bicycle'));
    expect(held).toEqual(['The user owns a red bicycle called Rosa.']);
  });
});
