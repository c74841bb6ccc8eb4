import { ApiClient, type StandaloneSystem, startStandalone, waitUntil, waitUntilDone } from '@annals/testing';
import { RECURRING_DEADLINES } from '../e2e/recurring-deadlines.fixture.js';

const [SHORT, LONG] = ['The user works at Siemens.', 'The user works at Siemens as a team lead.'];
const BOTH = [SHORT, LONG].toSorted();

describe('minds without a model', () => {
  let system: StandaloneSystem;
  let client: ApiClient;
  beforeAll(async () => {
    system = await startStandalone({ env: { ANNALS_MINDS: 'on', ANNALS_BATCH_WINDOW_MS: '0' } });
    client = new ApiClient(system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const expectNoEnergyDrawn = async () => {
    const energy = await client.must('getEnergy');
    expect(energy).toMatchObject({ level: energy.capacity, today: [], since_last_poll: { consumed: 0 } });
  };

  it('summarise a conversation that ends, and infer what came back in it, with the ground of both', async () => {
    const body = {
      user_id: 'ana',
      thread_id: 'work',
      flush: true,
      messages: RECURRING_DEADLINES.map(([day, content]) => ({
        id: day,
        role: 'user' as const,
        content,
        created_at: `${day}T12:00:00Z`,
      })),
    };
    const { batch_ids, conversation_id } = await client.must('postConversation', { body });
    await waitUntilDone(client, batch_ids, { explain: () => system.lastLines });
    await client.must('endConversation', { params: { id: conversation_id } });
    const { summaries } = await waitUntil(
      async () => {
        const query = { user_id: 'ana' };
        const answer = await client.call('getThreadSummary', { params: { thread_id: 'work' }, query });
        return answer.ok ? answer.body : undefined;
      },
      { describe: 'the conversation is summarised' },
    );
    expect(summaries).toMatchObject([{ level: 'L3', state: 'live', provider: 'local', from_seq: 0, as_of_seq: 2 }]);
    expect(summaries[0]!.text).toContain('deadline');
    for (const { message_ids } of summaries[0]!.sentences) expect(message_ids).not.toEqual([]);

    const [insight, ...others] = await waitUntil(
      async () => {
        const { items } = await client.must('listInsights', { params: { user_id: 'ana' } });
        return items.length > 0 ? items : undefined;
      },
      { describe: 'something is inferred' },
    );
    expect(others).toEqual([]);
    expect(insight).toMatchObject({ state: 'current', provider: 'local' });
    expect(insight!.content).toContain('deadline');
    const { ground } = await client.must('explainMemory', { params: { id: insight!.id } });
    expect(ground.map((one) => [one.kind, one.content, one.state])).toEqual(
      RECURRING_DEADLINES.map(([, content]) => ['message', content, 'stands']),
    );
    await expectNoEnergyDrawn();
  });

  it('tidy memories on request, name every change, and undo all of it', async () => {
    const user_id = 'ben';
    for (const content of [SHORT, LONG]) {
      await client.must('addMemory', { body: { user_id, category: 'profile', content, importance: 2 } });
    }
    const current = async () =>
      (await client.must('listMemories', { query: { user_id } })).items.map(({ content }) => content).toSorted();
    expect(await current()).toEqual(BOTH);
    const { run_id } = await client.must('startConsolidation', { body: { user_id } });
    const read = () => client.must('getConsolidationRun', { params: { id: run_id } });
    const run = await waitUntil(
      async () => {
        const now = await read();
        return now.state === 'queued' || now.state === 'running' ? undefined : now;
      },
      { describe: 'the run has ended' },
    );
    expect(run).toMatchObject({ state: 'done', trigger: 'manual', calls: 0, energy: 0 });
    expect(run.changes).toMatchObject([{ change: 'merge', state: 'written', reason: 'words' }]);
    expect(await current()).toEqual([LONG]);
    expect(await client.must('undoConsolidationRun', { params: { id: run_id } })).toMatchObject({
      undone: 1,
      left: {},
    });
    expect(await current()).toEqual(BOTH);
    expect(await read()).toMatchObject({ state: 'undone', changes: [{ state: 'undone' }] });
    await expectNoEnergyDrawn();
  });
});
