import { diffStates, packSized } from '@annals/state-delta';
import { createTestPool } from '@annals/testing';
import pg from 'pg';
import { saveState, saveWrites } from '../fixtures/langgraph.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { deleteTenant } from '../tenants/tenants.js';
import { loadLangGraphCheckpoint } from './read-langgraph-checkpoints.js';
import { parseVersion } from './version.js';

const STATE = 'The state of a graph. '.repeat(50);
const NEXT = `${STATE}And more of it.`;
const MAX_BYTES = 5_000;

const packed = (text: string | Uint8Array) => packSized(Buffer.from(text as string)).toString('base64');
const deltaOf = (before: string, after: string) => packed(diffStates(Buffer.from(before), Buffer.from(after)));

/** Logins are roles of a server: the embedded database has none. */
describe('a login that may save checkpoints of one tenant', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let login: string;
  let pool: pg.Pool;
  let threads = 0;

  const nameOf = async (id: string) =>
    (await fixture.queryAsSuperuser<{ name: string }>('SELECT name FROM tenants WHERE tenant_id = $1', [id]))[0]!.name;
  const addLogin = (of: string, name: string) =>
    fixture.queryAsSuperuser('SELECT add_langgraph_login($1, $2, $3)', [of, name, MAX_BYTES]);
  const createRole = async (name: string) => {
    await fixture.queryAsSuperuser(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
    await fixture.queryAsSuperuser(`GRANT USAGE ON SCHEMA annals TO ${name}`);
    const url = new URL((fixture.testDatabase.admin as { url: string }).url);
    Object.assign(url, { username: name, password: name });
    return createTestPool({ connectionString: url.href, max: 2 });
  };

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenantId = await fixture.addTenant();
    login = `graphs_${fixture.testDatabase.name}`;
    pool = await createRole(login);
    await addLogin(login, await nameOf(tenantId));
  });
  afterAll(async () => {
    await pool?.end();
    await fixture.queryAsSuperuser(`DROP OWNED BY ${login}`);
    await fixture.queryAsSuperuser(`DROP ROLE ${login}`);
    await fixture.close();
  });

  const save = async (batch: { checkpoints?: readonly object[]; writes?: readonly object[] }, by = pool) => {
    const { rows } = await by.query<{ saved: unknown }>('SELECT annals.save_langgraph($1) AS saved', [
      JSON.stringify(batch),
    ]);
    return rows[0]!.saved;
  };
  /** A thread with one checkpoint, and a further one that is based on it. */
  const begin = async (tenant = tenantId, userId = 'ada') => {
    const threadId = `thread-${++threads}`;
    const saved = await saveState(fixture, tenant, { threadId, userId }, STATE);
    const { namespaceKey, seq, bytes } = parseVersion(saved!.version)!;
    return {
      thread_id: threadId,
      checkpoint_ns: '',
      checkpoint_id: 'c2',
      parent_id: 'c1',
      metadata: { step: 2 },
      replayed_channels: [],
      base_key: namespaceKey,
      base_seq: seq,
      base_bytes: bytes,
      is_whole: false,
      bytes: NEXT.length,
      body: deltaOf(STATE, NEXT),
    };
  };
  const tasks = (threadId: string) => ({
    thread_id: threadId,
    checkpoint_ns: '',
    checkpoint_id: 'c2',
    task_id: 'task',
    task_path: '',
    writes: [{ idx: 0, channel: 'messages', type: 'json', body: packed('"written"') }],
  });
  const load = (threadId: string, tenant = tenantId) =>
    fixture.inTenant(tenant, (tx) =>
      loadLangGraphCheckpoint(tx, { threadId, checkpointNs: '', checkpointId: undefined, userId: undefined }),
    );
  const takeSnapshot = async () =>
    Promise.all(
      ['threads', 'namespaces', 'checkpoints', 'writes'].map((table) =>
        fixture.queryAsSuperuser(`SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM langgraph_${table} t`),
      ),
    );

  it('saves deltas and whole states behind the last one, and writes', async () => {
    const next = await begin();
    const saved = await save({ checkpoints: [next], writes: [tasks(next.thread_id), tasks('no such thread')] });
    expect(saved).toEqual({
      checkpoints: [{ version: `${next.base_key}.2.${NEXT.length}`, takes_delta: true }],
      writes: [true, false],
    });
    expect(await load(next.thread_id)).toMatchObject({
      checkpoint_id: 'c2',
      parent_id: 'c1',
      metadata: { step: 2 },
      state: NEXT,
      writes: [{ channel: 'messages', value: '"written"' }],
      version: `${next.base_key}.2.${NEXT.length}`,
      takes_delta: true,
    });
    const whole = { base_seq: 2, base_bytes: NEXT.length, is_whole: true, bytes: 3, body: packed('new') };
    const { checkpoints } = (await save({ checkpoints: [{ ...next, ...whole, checkpoint_id: 'c3' }] })) as never;
    expect(checkpoints).toEqual([{ version: `${next.base_key}.3.3`, takes_delta: true }]);
    expect(await load(next.thread_id)).toMatchObject({ checkpoint_id: 'c3', state: 'new' });
    expect(
      await fixture.queryAsSuperuser(
        'SELECT seq, whole_seq, whole_bytes, delta_bytes, bytes FROM langgraph_namespaces WHERE namespace_key = $1',
        [next.base_key],
      ),
    ).toEqual([{ seq: 3, whole_seq: 3, whole_bytes: 4, delta_bytes: 0, bytes: 3 }]);
  });

  it('saves nothing behind a state that is not the last one, an id that exists, or for another user', async () => {
    const next = await begin();
    const others = [
      { ...next, base_seq: 0 },
      { ...next, base_bytes: 1 },
      { ...next, checkpoint_id: 'c1', is_whole: true, body: packed(NEXT) },
      { ...next, checkpoint_ns: 'other' },
      { ...next, thread_id: 'other' },
      { ...next, user_id: 'ben' },
    ];
    const before = await takeSnapshot();
    for (const checkpoint of others)
      expect(await save({ checkpoints: [checkpoint] })).toMatchObject({ checkpoints: [null] });
    expect(await save({ writes: [{ ...tasks(next.thread_id), user_id: 'ben' }] })).toMatchObject({ writes: [false] });
    expect(await takeSnapshot()).toEqual(before);
    // Of several of one namespace the first is saved: the others are not based on it.
    expect(await save({ checkpoints: [next, { ...next, checkpoint_id: 'c3' }] })).toMatchObject({
      checkpoints: [{ takes_delta: true }, null],
    });
  });

  it('reaches nothing of another tenant, also with its keys', async () => {
    const other = await fixture.addTenant();
    const next = await begin(other);
    const before = await takeSnapshot();
    expect(await save({ checkpoints: [next], writes: [tasks(next.thread_id)] })).toEqual({
      checkpoints: [null],
      writes: [false],
    });
    // The same thread id in both tenants.
    await saveState(fixture, tenantId, { threadId: next.thread_id }, STATE);
    expect(await save({ checkpoints: [next] })).toMatchObject({ checkpoints: [null] });
    expect(await load(next.thread_id, other)).toMatchObject({ checkpoint_id: 'c1' });
    expect((await takeSnapshot())[2]).not.toEqual(before[2]);
    await expect(
      pool.query("SET annals.tenant = '" + other + "'; SELECT * FROM annals.langgraph_checkpoints"),
    ).rejects.toThrow('permission denied');
    for (const statement of [
      'SELECT * FROM annals.memories',
      'SELECT * FROM annals.langgraph_logins',
      `SELECT annals.delete_tenant('${other}')`,
      `SELECT annals.save_langgraph_batch('${other}', NULL, '[]', '[]', now())`,
      `SELECT annals.add_langgraph_login('${login}', '${await nameOf(other)}')`,
      `SELECT annals.remove_langgraph_login('${login}')`,
      'SET ROLE annals_app',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('permission denied');
    }
  });

  it.each<[string, object]>([
    ['a state that is larger than the login may save', { bytes: MAX_BYTES + 1 }],
    ['a whole state of another length', { is_whole: true, body: packed('x') }],
    ['a compressed body that does not say how long it is', { body: Buffer.from([1, 2, 3]).toString('base64') }],
    ['a body that says it is longer than its state may be', { body: Buffer.from([2, 1, 0, 0, 0]).toString('base64') }],
    ['a body of nothing', { body: '' }],
    ['a body that is not in base64', { body: '*' }],
    ['no body', { body: undefined }],
    ['no length', { bytes: undefined }],
    ['neither a delta nor a state', { is_whole: undefined }],
    ['an empty id', { checkpoint_id: '' }],
    ['an id that no path can have', { checkpoint_id: '..' }],
    ['an id that is too long', { checkpoint_id: 'x'.repeat(201) }],
    ['a parent with too long an id', { parent_id: 'x'.repeat(201) }],
    ['metadata that is no object', { metadata: [1] }],
    ['no metadata', { metadata: undefined }],
    ['metadata that jsonb cannot hold', { metadata: { text: '\0' } }],
    ['too much metadata', { metadata: { text: Array.from({ length: 2_000 }, (_, n) => n).join() } }],
    ['a channel without a name', { replayed_channels: [''] }],
    ['no channels', { replayed_channels: undefined }],
    ['a key that is none', { base_key: 'x' }],
  ])('saves nothing of a batch with %s', async (_what, change) => {
    const next = await begin();
    const good = await begin();
    const before = await takeSnapshot();
    await expect(save({ checkpoints: [good, { ...next, ...change }] })).rejects.toMatchObject({ code: /^22/ });
    expect(await takeSnapshot()).toEqual(before);
  });

  it.each<[string, object, object]>([
    ['an empty task', { task_id: '' }, {}],
    ['a checkpoint that no path can name', { checkpoint_id: '.' }, {}],
    ['no path of a task', { task_path: undefined }, {}],
    ['no writes', { writes: undefined }, {}],
    ['an index that is out of range', {}, { idx: -1_001 }],
    ['no index', {}, { idx: undefined }],
    ['no channel', {}, { channel: undefined }],
    ['a type without a name', {}, { type: '' }],
    ['no value', {}, { body: undefined }],
    ['a value that is too large', {}, { body: Buffer.from([2, 0, 0, 100, 0]).toString('base64') }],
  ])('saves nothing of a batch with writes that have %s', async (_what, task, write) => {
    const { thread_id: threadId } = await begin();
    const good = tasks(threadId);
    const bad = { ...good, writes: [{ ...good.writes[0], ...write }], ...task };
    const before = await takeSnapshot();
    await expect(save({ writes: [good, bad] })).rejects.toMatchObject({ code: /^22/ });
    expect(await takeSnapshot()).toEqual(before);
  });

  it('saves no more at once than the routes do', async () => {
    const { thread_id: threadId } = await begin();
    const many = Array.from({ length: 101 }, () => tasks(threadId));
    await expect(save({ writes: many })).rejects.toMatchObject({ code: '22023' });
    const sum = {
      ...tasks(threadId),
      writes: Array.from({ length: 3 }, (_, idx) => ({ ...tasks('').writes[0], idx, body: packed('x'.repeat(2_000)) })),
    };
    await expect(save({ writes: [sum] })).rejects.toMatchObject({ code: '22023' });
  });

  it('cannot make others read more than its states may have, and other threads are read as before', async () => {
    const bomb = packSized(Buffer.alloc(50_000_000));
    bomb.writeUInt32BE(NEXT.length, 1);
    const doubling = diffStates(Buffer.from(STATE), Buffer.from(STATE + STATE));
    for (const body of [bomb.toString('base64'), packed(doubling), packed('no delta')]) {
      const next = await begin();
      expect(await save({ checkpoints: [{ ...next, body }] })).toMatchObject({ checkpoints: [{ takes_delta: true }] });
      await expect(load(next.thread_id)).rejects.toThrow(RangeError);
      const good = await begin();
      await save({ checkpoints: [good] });
      expect(await load(good.thread_id)).toMatchObject({ state: NEXT });
      // The newest one is damaged; a whole one behind it can be read.
      const state = {
        is_whole: true,
        base_seq: 2,
        base_bytes: NEXT.length,
        checkpoint_id: 'c3',
        bytes: 2,
        body: packed('{}'),
      };
      await save({ checkpoints: [{ ...next, ...state }] });
      expect(await load(next.thread_id)).toMatchObject({ state: '{}' });
    }
  });

  it('saves beside others: each state is behind the one before it, and nobody waits for each other', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => begin()));
    const versions = new Map(all.map(({ thread_id: id, base_seq: seq, base_bytes: bytes }) => [id, { seq, bytes }]));
    const saveRound = async (round: number, order: typeof all) => {
      const { checkpoints } = (await save({
        checkpoints: order.map((next) => {
          const { seq, bytes } = versions.get(next.thread_id)!;
          const checkpoint = {
            checkpoint_id: `r${round}`,
            base_seq: seq,
            base_bytes: bytes,
            bytes: 2,
            body: packed('{}'),
          };
          return { ...next, ...checkpoint, is_whole: true };
        }),
        writes: order
          .toReversed()
          .map(({ thread_id: id }) => ({ ...tasks(id), checkpoint_id: 'c1', task_id: `${round}` })),
      })) as { checkpoints: readonly ({ version: string } | null)[] };
      for (const [index, saved] of checkpoints.entries())
        if (saved) versions.set(order[index]!.thread_id, parseVersion(saved.version)!);
    };
    for (let round = 0; round < 40; round += 2)
      await Promise.all([
        saveRound(round, all),
        saveRound(round + 1, all.toReversed()),
        saveWrites(fixture, tenantId, { threadId: all[0]!.thread_id, taskId: `rest ${round}` }),
      ]);
    for (const { base_key: key } of all) {
      const rows = await fixture.queryAsSuperuser<{ seq: number }>(
        'SELECT seq FROM langgraph_checkpoints WHERE namespace_key = $1 ORDER BY seq',
        [key],
      );
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      expect(rows.length).toBeGreaterThan(20);
    }
    const [{ count }] = (await fixture.queryAsSuperuser(
      `SELECT count(*)::int AS count FROM langgraph_writes WHERE checkpoint_id = 'c1' AND task_id ~ '^\\d+$'`,
    )) as [{ count: number }];
    expect(count).toBe(160);
  });

  it('is added by operators: for a tenant and a role that exist, and for one tenant alone', async () => {
    const other = await fixture.addTenant();
    await expect(addLogin(login, 'nobody')).rejects.toThrow('There is no tenant named nobody.');
    await expect(addLogin(login, await nameOf(other))).rejects.toThrow('saves for another tenant');
    await expect(addLogin('no_such_role', await nameOf(other))).rejects.toThrow('does not exist');
    await expect(
      fixture.queryAsSuperuser('SELECT add_langgraph_login($1, $2, 0)', [login, await nameOf(tenantId)]),
    ).rejects.toThrow('max_bytes');
    await expect(
      fixture.inTenant(tenantId, (tx) => tx.query('SELECT add_langgraph_login($1, $2)', [login, 'tenant'])),
    ).rejects.toThrow('permission denied');
    const rows = await fixture.queryAsSuperuser('SELECT login, tenant_id, max_bytes FROM langgraph_logins');
    expect(rows).toEqual([{ login, tenant_id: tenantId, max_bytes: MAX_BYTES }]);
  });

  it('may do nothing any more once it is removed, or its tenant is deleted', async () => {
    const doomed = await fixture.addTenant();
    const role = `${login}_b`;
    const second = await createRole(role);
    try {
      await expect(save({}, second)).rejects.toMatchObject({ code: '42501' });
      await addLogin(role, await nameOf(doomed));
      const next = await begin(doomed);
      expect(await save({ checkpoints: [next] }, second)).toMatchObject({ checkpoints: [{ takes_delta: true }] });
      await deleteTenant(fixture.database, doomed);
      await expect(save({}, second)).rejects.toThrow(`The login ${role} may not save checkpoints.`);
      await addLogin(role, await nameOf(tenantId));
      expect(await save({}, second)).toEqual({ checkpoints: [], writes: [] });
      expect(await fixture.queryAsSuperuser('SELECT remove_langgraph_login($1) AS removed', [role])).toEqual([
        { removed: true },
      ]);
      await expect(save({}, second)).rejects.toMatchObject({ code: '42501' });
      expect(await fixture.queryAsSuperuser('SELECT remove_langgraph_login($1) AS removed', [role])).toEqual([
        { removed: false },
      ]);
    } finally {
      await second.end();
      await fixture.queryAsSuperuser(`REVOKE USAGE ON SCHEMA annals FROM ${role}`);
      await fixture.queryAsSuperuser(`DROP ROLE ${role}`);
    }
  });
});
