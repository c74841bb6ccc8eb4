import { randomBytes } from 'node:crypto';
import type { ExportEnd, ExportLine } from '@annals/contracts';
import { saveState, saveWrites } from '../fixtures/langgraph.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { pruneLangGraphThreads } from '../langgraph/prune-langgraph.js';
import { exportUser } from './export-user.js';

describe('the export of a user with threads of LangGraph', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
  });
  afterAll(() => fixture.close());

  async function exportOf(userId: string) {
    let text = '';
    for await (const part of (await exportUser(fixture.database, tenantId, userId, fixture.clock))!) text += part;
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ExportLine);
    const of = (kind: string) => lines.filter((line) => line.kind === kind).map(({ data }) => data);
    return { text, of, counts: (lines.at(-1) as unknown as ExportEnd).counts };
  }

  it('has every checkpoint with its whole state, and every write with its value', async () => {
    const long = 'The table is booked for nine. '.repeat(200);
    const states = [0, 1, 2].map((step) => `${step}\u0000"${long}${'more '.repeat(step)}é😀`);
    const ada = { userId: 'ada', threadId: 't1', replayedChannels: ['messages'] };
    for (const [index, state] of states.entries()) {
      const parentId = index === 0 ? null : `c${index - 1}`;
      await saveState(fixture, tenantId, { ...ada, checkpointId: `c${index}`, parentId, metadata: { index } }, state);
    }
    await saveState(fixture, tenantId, { userId: 'ada', threadId: 't2', checkpointNs: 'sub:1' }, '{}');
    const writes = [2, 0, -1].map((idx) => ({ idx, channel: `channel ${idx}`, type: 'json', value: `${idx} ${long}` }));
    await saveWrites(fixture, tenantId, { ...ada, checkpointId: 'c1', taskPath: '~pull', writes });

    const { of, counts } = await exportOf('ada');
    expect(counts).toMatchObject({ langgraph_thread: 2, langgraph_checkpoint: 4, langgraph_write: 3 });
    expect(of('langgraph_thread')).toEqual(
      ['t1', 't2'].map((thread_id) => ({ thread_id, user_id: 'ada', created_at: expect.any(String) })),
    );
    const inNamespace = (ns: string) => of('langgraph_checkpoint').filter((row) => row['checkpoint_ns'] === ns);
    expect(inNamespace('')).toEqual(
      states.map((state, index) => ({
        thread_id: 't1',
        checkpoint_ns: '',
        checkpoint_id: `c${index}`,
        parent_id: index === 0 ? null : `c${index - 1}`,
        metadata: { index },
        replayed_channels: ['messages'],
        saved_at: expect.any(String),
        state,
      })),
    );
    expect(inNamespace('sub:1')).toMatchObject([{ thread_id: 't2', checkpoint_id: 'c1', state: '{}' }]);
    const at = { thread_id: 't1', checkpoint_ns: '', checkpoint_id: 'c1', task_id: 'task', task_path: '~pull' };
    expect(of('langgraph_write')).toEqual(
      writes.toSorted((a, b) => a.idx - b.idx).map((write) => ({ ...at, ...write })),
    );
  });

  it('reads writes page by page, by their number and size', async () => {
    const value = randomBytes(300_000).toString('base64');
    const large = [0, 1, 2, 3, 4, 5].map((idx) => ({ idx, channel: 'c', type: 'bytes', value: `${idx}${value}` }));
    const small = Array.from({ length: 250 }, (_, idx) => ({ idx, channel: 'c', type: 'json', value: String(idx) }));
    await saveWrites(fixture, tenantId, { userId: 'ada', taskId: 'large', writes: large });
    await saveWrites(fixture, tenantId, { userId: 'ada', taskId: 'small', writes: small });
    const { of, counts } = await exportOf('ada');
    expect(counts).toMatchObject({ langgraph_thread: 1, langgraph_checkpoint: 0, langgraph_write: 256 });
    expect(of('langgraph_write').map(({ value: text }) => text)).toEqual(
      [...large, ...small].map((write) => write.value),
    );
  });

  it('has nothing of another user, tenant or thread without a user, nor what is no checkpoint any more', async () => {
    const other = await fixture.addTenant();
    const long = 'Something that does not change. '.repeat(100);
    await saveState(fixture, tenantId, { userId: 'ada', checkpointId: 'c1' }, `${long} plumgrackle`);
    await saveState(fixture, tenantId, { userId: 'ada', checkpointId: 'c1' }, `${long} own`);
    await saveState(fixture, tenantId, { userId: 'bob', threadId: 'of bob' }, 'zephyrlint');
    await saveWrites(fixture, tenantId, {
      userId: 'bob',
      threadId: 'of bob',
      writes: [{ idx: 0, channel: 'c', type: 'json', value: 'zephyrlint' }],
    });
    await saveState(fixture, tenantId, { threadId: 'of nobody' }, 'zephyrlint');
    await saveState(fixture, other, { userId: 'ada' }, 'zephyrlint');
    const { text, counts } = await exportOf('ada');
    expect(counts).toMatchObject({ langgraph_thread: 1, langgraph_checkpoint: 1, langgraph_write: 0 });
    for (const word of ['zephyrlint', 'plumgrackle', 'of bob', 'of nobody']) expect(text).not.toContain(word);
    expect((await exportOf('langgraph:of nobody')).counts).toMatchObject({
      langgraph_thread: 1,
      langgraph_checkpoint: 1,
    });
    await fixture.inTenant(tenantId, (tx) => pruneLangGraphThreads(tx, { threadIds: ['thread'], userId: 'ada' }));
    expect((await exportOf('ada')).of('langgraph_checkpoint')).toMatchObject([{ state: `${long} own` }]);
  });
});
