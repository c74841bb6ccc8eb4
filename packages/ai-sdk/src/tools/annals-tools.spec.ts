import { type ScriptedAnnals, scriptAnnals } from '../fixtures/scripted-annals.fixture.js';
import { annalsTools, createTools } from './annals-tools.js';

const CALL = { toolCallId: 'call-1', messages: [], context: {} };

describe('annalsTools', () => {
  let server: ScriptedAnnals;
  beforeEach(() => {
    server = scriptAnnals();
  });

  it('remembers in a thread of the day, the same once', async () => {
    const days = [Date.UTC(2026, 10, 28, 23), Date.UTC(2026, 10, 28, 23), Date.UTC(2026, 10, 29)];
    const posts = days.length;
    const tools = createTools(server.annals, { user: 'mara', agent: 'supervisor' }, { now: () => days.shift()! });
    for (let post = 0; post < posts; post += 1) await tools.remember.execute!({ text: 'I like tea.' }, CALL);
    expect(server.posts().map(({ thread_id }) => thread_id)).toEqual([
      'ai-sdk-2026-11-28',
      'ai-sdk-2026-11-28',
      'ai-sdk-2026-11-29',
    ]);
    expect(server.posts()[0]).toMatchObject({ user_id: 'mara', agent_id: 'supervisor', flush: true });
    const [first, second, third] = server.posts().map(({ messages }) => messages[0]!.id);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it('forgets nothing that was not shown before', async () => {
    const { forget } = annalsTools(server.annals, { user: 'mara' });
    await expect(forget.execute!({ text: 'my ex', dry_run: false }, CALL)).rejects.toThrow('First call this');
    expect(server.requests).toEqual([]);
  });

  it('asks for changes only of a thread that stays', async () => {
    const schema = async (options: { thread?: string }) => {
      const { inputSchema } = annalsTools(server.annals, { user: 'mara', ...options }).context;
      return JSON.stringify(await (inputSchema as { jsonSchema: unknown }).jsonSchema);
    };
    expect(await schema({ thread: 't-1' })).toContain('since_rev');
    expect(await schema({})).not.toContain('since_rev');
  });

  it('refuses to be made without a user', () => {
    expect(() => annalsTools(server.annals, { user: '' })).toThrow('Give user: ');
  });
});
