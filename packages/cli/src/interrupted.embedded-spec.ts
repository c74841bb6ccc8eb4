import { sized, waitUntil } from '@annals/testing';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type Programs, startPrograms } from './fixtures/program.fixture.js';

const CONVERSATIONS = 48;
/** Of which one request takes 200. */
const MEMORIES = sized(600, 1_200);
const AT = '2024-01-01T10:00:00Z';
const uuidOf = (kind: number, number: number) => `0198a0b0-0000-7000-800${kind}-${String(number).padStart(12, '0')}`;

const claude = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    uuid: `c-${index}`,
    created_at: AT,
    chat_messages: [1, 2, 3].map((number) => ({
      uuid: `c-${index}-${number}`,
      sender: number === 2 ? 'assistant' : 'human',
      text: `This is message ${number} of conversation ${index}.`,
      created_at: AT,
    })),
  }));
const openAi = (count: number) =>
  claude(count).map(({ uuid, chat_messages: messages }) => ({
    conversation_id: uuid,
    create_time: 1_704_103_200,
    current_node: messages.at(-1)!.uuid,
    mapping: Object.fromEntries(
      messages.map(({ uuid: id, text, sender }, index) => [
        id,
        {
          parent: messages[index - 1]?.uuid ?? null,
          children: [],
          message: {
            id,
            author: { role: sender === 'human' ? 'user' : 'assistant' },
            create_time: 1_704_103_200,
            content: { content_type: 'text', parts: [text] },
          },
        },
      ]),
    ),
  }));
const mem0 = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: uuidOf(1, index),
    memory: `The user has met person number ${index}.`,
    created_at: AT,
  }));

/** Every second memory was replaced by the one behind it, and rests on a message. */
function annals(count: number): string {
  const row = { user_id: 'x', thread_id: 't', agent_id: null, run_id: null, app_id: null };
  const lines: object[] = [{ kind: 'manifest', schema_version: 1 }];
  for (let index = 0; index < count; index += 1) {
    const isOver = index % 2 === 0;
    const data = {
      id: uuidOf(2, index),
      content: `The user knows place number ${index}.`,
      category: 'knowledge',
      type: 'semantic',
      state: 'active',
      origin: 'extraction',
      importance: 3,
      confidence: 0.9,
      pinned: false,
      valid_from: AT,
      valid_to: isOver ? '2024-02-01T10:00:00Z' : null,
      closed_at: isOver ? '2024-02-01T10:00:00Z' : null,
      superseded_by: isOver ? uuidOf(2, count - 1 - index) : null,
      recorded_at: AT,
      sources: [{ message_id: uuidOf(3, index), quote: `place number ${index}` }],
      relations: [],
    };
    lines.push({ kind: 'memory', data });
  }
  lines.push({
    kind: 'conversation',
    data: { ...row, id: uuidOf(4, 0), created_at: AT, ended_at: AT, kind: 'conversation' },
  });
  for (let index = 0; index < count; index += 1) {
    const content = `I know place number ${index}.`;
    lines.push({
      kind: 'message',
      data: { ...row, id: uuidOf(3, index), conversation_id: uuidOf(4, 0), role: 'user', content, said_at: AT },
    });
  }
  lines.push({ kind: 'end', counts: {} });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

describe('an import that is killed half-way', () => {
  let programs: Programs;
  beforeAll(async () => {
    programs = await startPrograms();
  });
  afterAll(() => programs?.close());

  const countsOf = async (key: string) => {
    const lines = await programs.exportOf(key, 'ann').catch(() => []);
    const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
    return { conversations: count('conversation'), messages: count('message'), memories: count('memory') };
  };

  it.each([
    ['claude', JSON.stringify(claude(CONVERSATIONS)), { conversations: CONVERSATIONS, messages: CONVERSATIONS * 3 }],
    ['openai', JSON.stringify(openAi(CONVERSATIONS)), { conversations: CONVERSATIONS, messages: CONVERSATIONS * 3 }],
    ['mem0', JSON.stringify(mem0(MEMORIES)), { memories: MEMORIES }],
    ['annals', annals(MEMORIES), { conversations: 1, messages: MEMORIES, memories: MEMORIES }],
  ])('goes on: %s', async (format, content, whole) => {
    const key = await programs.createTenant();
    const file = programs.write('export.json', content);
    const args = ['import', file, '--user', 'ann', '--format', format];
    const state = `${file}.annals-import`;
    const child = programs.spawn(key, ...args);
    await waitUntil(() => existsSync(state), { describe: 'the program has noted how far it is', intervalMs: 2 });
    child.kill('SIGKILL');
    await once(child, 'close');
    const { position } = JSON.parse(readFileSync(state, 'utf8')) as { position: number };
    expect(position).toBeGreaterThan(0);
    const half = await countsOf(key);
    const [counted] = Object.entries(whole).slice(-1) as [[keyof typeof half, number]];
    expect(half[counted[0]]).toBeLessThan(counted[1]);

    const resumed = await programs.run(key, ...args);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain('Goes on where it was interrupted.');
    expect(await countsOf(key)).toMatchObject(whole);
    // The report is about the whole file: what was sent twice was there already.
    for (const [kind, count] of Object.entries(whole)) expect(resumed.stdout).toContain(`${kind}: ${count} read`);

    const again = await programs.run(key, ...args);
    expect(again.stdout).not.toMatch(/[1-9]\d* new/);
    expect(await countsOf(key)).toMatchObject(whole);
    if (format !== 'annals') return;
    const over = (await programs.exportOf(key, 'ann')).filter(
      ({ kind, data }) => kind === 'memory' && data['valid_to'],
    );
    expect(over).toHaveLength(MEMORIES / 2);
    expect(over.filter(({ data }) => data['superseded_by'] === null)).toEqual([]);
  });
});
