import {
  type ConversationAccepted,
  type ConversationForgotten,
  type ErasureReceipt,
  type ExportEnd,
  type ExportLine,
  type ExportManifest,
  exportEndSchema,
  exportLineSchema,
  exportManifestSchema,
  type Memory,
  type MemoryWritten,
} from '@annals/contracts';
import { loadSummarizableMessages, verifyReceipt, writeSummaries } from '@annals/storage';
import { waitUntil } from '@annals/testing';
import { request } from 'node:http';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';

const MANY = 3_000;

describe('privacy over HTTP', () => {
  let gateway: TestGateway;
  let tenantId: string;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway();
    tenantId = await gateway.makeTenant('privacy');
    key = await gateway.makeKey({ tenantId });
  });
  afterAll(() => gateway.close());

  const add = async (user_id: string, content: string) =>
    (
      await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
        body: { user_id, content, category: 'preferences' },
      })
    ).body.memory;
  const postMessages = async (user_id: string, ...contents: string[]) =>
    (
      await gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', {
        body: { user_id, messages: contents.map((content) => ({ role: 'user', content })) },
      })
    ).body;
  const exportOf = async (userId: string, withKey = key) => {
    const answer = await gateway.send<{ text: string }>(
      withKey,
      'GET',
      `/v1/users/${encodeURIComponent(userId)}/export`,
    );
    const lines =
      answer.status === 200
        ? answer.body.text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown)
        : [];
    return {
      status: answer.status,
      headers: answer.headers,
      manifest: lines[0] as ExportManifest,
      rows: lines.slice(1, -1) as ExportLine[],
      end: lines.at(-1) as ExportEnd,
    };
  };
  const erase = (userId: string, headers = {}) =>
    gateway.send<ErasureReceipt>(key, 'DELETE', `/v1/users/${encodeURIComponent(userId)}`, { headers });

  const countErasures = async (kind: string): Promise<number> => {
    const { body } = await gateway.infrastructure.metrics.render();
    const line = new RegExp(`^memory_llm_erasures_total\\{[^}]*kind="${kind}"[^}]*\\} (\\d+)$`, 'm').exec(body);
    return Number(line?.[1] ?? 0);
  };

  describe('the export of a user', () => {
    it('is NDJSON: a manifest, the data, and counts', async () => {
      const user = 'ann/ä ?';
      const memory = await add(user, 'Ann likes green tea.');
      await gateway.send(key, 'DELETE', `/v1/memories/${memory.id}`);
      await add(user, 'Ann likes rooibos.');
      const { conversation_id: conversation } = await postMessages(user, 'hello', 'I like tea');
      const exported = await exportOf(user);
      expect(exported.headers.get('content-type')).toBe('application/x-ndjson');
      expect(exportManifestSchema.parse(exported.manifest)).toMatchObject({ schema_version: 1, user_id: user });
      for (const row of exported.rows) exportLineSchema.parse(row);
      expect(exportEndSchema.parse(exported.end)).toMatchObject({ unchanged: true });
      const counted = Object.fromEntries(exported.manifest.sections.map((kind) => [kind, 0]));
      for (const { kind } of exported.rows) counted[kind]! += 1;
      expect(exported.end.counts).toEqual(counted);
      expect(counted).toMatchObject({
        user: 1,
        memory: 2,
        conversation: 1,
        batch: 1,
        message: 2,
        history: 3,
        // Each addition has one of its own and one of its similarity check.
        event: 5,
      });
      const of = (kind: string) => exported.rows.filter((row) => row.kind === kind).map(({ data }) => data);
      expect(new Set(of('memory').map(({ state }) => state))).toEqual(new Set(['active', 'soft_deleted']));
      expect(of('message').map(({ content }) => content)).toEqual(['hello', 'I like tea']);
      expect(of('conversation')[0]).toMatchObject({ id: conversation, user_id: user });
      expect(of('history').map(({ event }) => event)).toEqual(['ADD', 'DELETE', 'ADD']);
      expect(JSON.stringify(exported.rows)).not.toContain(tenantId);
    });

    it('has the summaries of their conversations, with what each sentence rests on', async () => {
      const { conversation_id } = await postMessages('summarised', 'I like tea', 'I sold the boat');
      const { clock, ids } = gateway.infrastructure;
      const [id, now] = [ids.next(), clock.now()];
      const messageIds = await gateway.database.inTenant(tenantId, async (tx) => {
        const messages = await loadSummarizableMessages(tx, conversation_id, -1);
        const cited = messages.map((message) => message.id);
        const place = { tier: 'L3', position: 0, level: 'BRIEF', kind: 'conversation', recipe: 'r' } as const;
        const covered = {
          fromSeq: 0,
          toSeq: 1,
          coveredTokens: 9,
          coveredMessages: 2,
          fingerprint: 'f',
          replaces: null,
        };
        const sentences = [{ text: 'The user likes tea and sold a boat.', messageIds: cited }];
        const by = { provider: 'local', model: null, tokens: 9, lastSaidAt: now };
        const made = [{ id, step: { ...place, ...covered }, sentences, ...by }];
        await writeSummaries(tx, conversation_id, { made, tombstones: [], now });
        return cited;
      });
      const { manifest, rows, end } = await exportOf('summarised');
      expect(manifest.sections).toContain('summary');
      const summaries = rows.filter((row) => row.kind === 'summary');
      for (const row of summaries) exportLineSchema.parse(row);
      expect(summaries.map(({ data }) => data)).toMatchObject([
        {
          id,
          conversation_id,
          tier: 'L3',
          sentences: [{ content: 'The user likes tea and sold a boat.', message_ids: messageIds }],
        },
      ]);
      expect(end.counts['summary']).toBe(1);
      expect((await exportOf('ann/ä ?')).end.counts['summary']).toBe(0);
    });

    it('contains no data of other users', async () => {
      await add('bob', 'Bob likes velmorphic tea.');
      await add('bea', 'Bea likes tea.');
      await postMessages('bob', 'velmorphic');
      const { rows } = await exportOf('bea');
      expect(JSON.stringify(rows)).not.toContain('velmorphic');
      expect(JSON.stringify(rows)).not.toContain('"bob"');
    });

    it('is read page by page, complete and with each row once, whatever the size', async () => {
      const { ids, clock } = gateway.infrastructure;
      await add('cat', 'Cat likes tea.');
      await gateway.database.inTenant(tenantId, (tx) =>
        tx.execute(
          `INSERT INTO events (id, user_id, node, op, status, ts)
           SELECT (lpad(to_hex(n), 8, '0') || substr($1, 9))::uuid, 'cat', 'test', 'made', 'ok', $2
             FROM generate_series(1, $3::integer) n`,
          [ids.next(), new Date(clock.now()), MANY],
        ),
      );
      const { rows, end } = await exportOf('cat');
      const events = rows.filter(({ kind }) => kind === 'event').map(({ data }) => data.id);
      expect(end.counts.event).toBe(MANY + 2);
      expect(new Set(events).size).toBe(MANY + 2);
    });

    it('reports memories that were written in the meantime', async () => {
      await add('dan', 'Dan likes tea.');
      await addManyMessages('dan');
      const slow = await slowExport('dan', 1);
      await slow.untilPaused();
      await add('dan', 'Dan likes coffee.');
      const end = JSON.parse((await slow.resume()).trimEnd().split('\n').at(-1)!) as ExportEnd;
      expect(end).toMatchObject({ kind: 'end', unchanged: false });
    });

    it('applies backpressure, and ends when the client disconnects', async () => {
      await add('eve', 'Eve likes tea.');
      await addManyMessages('eve');
      let pages = 0;
      const read = gateway.database.readTenant.bind(gateway.database);
      const spy = vi.spyOn(gateway.database, 'readTenant').mockImplementation((...args) => {
        pages += 1;
        return read(...args);
      });
      try {
        const slow = await slowExport('eve', 10_000);
        await slow.untilPaused();
        const taken = await waitUntilStable(() => pages);
        slow.leave();
        await waitUntilStable(() => pages);
        // Only what was in progress when the client disconnected.
        expect(pages).toBeLessThanOrEqual(taken + 1);
        pages = 0;
        const { end } = await exportOf('eve');
        expect(end.counts.message).toBe(1_001);
        expect(pages).toBeGreaterThan(taken + 1);
      } finally {
        spy.mockRestore();
      }
    });

    it('is only for keys that may see all data of the user', async () => {
      await add('fay', 'Fay likes tea.');
      const path = '/v1/users/fay/export';
      expect((await gateway.send(key, 'GET', '/v1/users/nobody/export')).status).toBe(404);
      const refusals = [
        [await gateway.makeKey({ tenantId, scopes: ['query', 'ingest'] }), 'forbidden_scope'],
        [await gateway.makeKey({ tenantId, userId: 'gus' }), 'forbidden_user'],
        [await gateway.makeKey({ tenantId, categories: ['goals'] }), 'forbidden_category'],
      ] as const;
      for (const [other, code] of refusals) {
        expect(await gateway.send(other, 'GET', path)).toMatchObject({ status: 403, body: { code } });
      }
      expect((await exportOf('fay', await gateway.makeKey({ tenantId, userId: 'fay' }))).status).toBe(200);
      expect((await gateway.send(key, 'HEAD', path)).status).toBe(405);
    });

    /** 60 MB: more than the buffers of sockets, which grow to 33 MB. */
    const addManyMessages = async (user: string): Promise<void> => {
      const { conversation_id: id } = await postMessages(user, 'hello');
      await gateway.database.inTenant(tenantId, (tx) =>
        tx.execute(
          `INSERT INTO messages (id, conversation_id, batch_id, seq, role, content, said_at, received_at)
           SELECT gen_random_uuid(), m.conversation_id, m.batch_id, n, m.role, repeat('words ', 10000), m.said_at,
                  m.received_at
             FROM messages m, generate_series(1, 1000) n WHERE m.conversation_id = $1`,
          [id],
        ),
      );
    };

    /** An export with a slow client, which pauses after so many bytes. */
    async function slowExport(userId: string, bytes: number) {
      let text = '';
      let paused = false;
      const outgoing = request(`${gateway.url}/v1/users/${userId}/export`, {
        headers: { authorization: `Bearer ${key}` },
      });
      outgoing.on('error', () => undefined);
      const ended = new Promise<string>((resolve) => {
        outgoing.on('response', (incoming) => {
          incoming.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            if (paused || text.length < bytes) return;
            paused = true;
            incoming.pause();
          });
          incoming.on('error', () => undefined);
          incoming.on('close', () => resolve(text));
          outgoing.once('resume-export', () => incoming.resume());
        });
      });
      outgoing.end();
      return {
        untilPaused: () => waitUntil(() => paused, { describe: 'the client has paused' }),
        resume: () => {
          outgoing.emit('resume-export');
          return ended;
        },
        leave: () => void outgoing.destroy(),
      };
    }

    /** Waits until a value no longer changes, and returns it. */
    async function waitUntilStable(figure: () => number): Promise<number> {
      let last = figure();
      let still = 0;
      await waitUntil(
        () => {
          still = figure() === last ? still + 1 : 0;
          last = figure();
          return still >= 20;
        },
        { describe: 'the value no longer changes', intervalMs: 10 },
      );
      return last;
    }
  });

  describe('the erasure of a user', () => {
    it('returns a receipt that the audit accepts, and the same one when repeated', async () => {
      await add('hal', 'Hal likes tea.');
      await postMessages('hal', 'hello');
      const first = await erase('hal');
      expect(first).toMatchObject({ status: 200, body: { user_id: 'hal', counts: { memories: 1, messages: 1 } } });
      expect(await verifyReceipt(gateway.database, [gateway.infrastructure.secrets.audit], first.body)).toEqual([]);
      expect((await erase('hal')).body).toEqual(first.body);
      expect((await gateway.send(key, 'GET', '/v1/memories?user_id=hal')).body).toMatchObject({ items: [] });
      const { rows } = await exportOf('hal');
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['user', 'history', 'erasure_receipt']));
    });

    it('keeps the receipt for the tenant, with a pseudonym in place of the erased id', async () => {
      await add('kim', 'Kim likes tea.');
      const { body: receipt } = await erase('kim');
      const read = (id: string, withKey = key) => gateway.send<ErasureReceipt>(withKey, 'GET', `/v1/receipts/${id}`);
      const { status, body } = await read(receipt.id);
      expect(status).toBe(200);
      expect(body).toEqual({ ...receipt, user_id: expect.stringMatching(/^pseudonym:[0-9a-f]{64}$/) });
      expect(await verifyReceipt(gateway.database, [gateway.infrastructure.secrets.audit], body)).toEqual([]);
      await add('kim', 'Kim likes coffee.');
      expect((await read(receipt.id)).body).toEqual(body);
      const stranger = await gateway.makeKey({ tenantId: await gateway.makeTenant('of others') });
      const [foreign, absent] = [await read(receipt.id, stranger), await read(gateway.infrastructure.ids.next())];
      expect([foreign.status, absent.status]).toEqual([404, 404]);
      expect(foreign.body).toMatchObject({ code: 'not_found', detail: 'There is no receipt with this id.' });
    });

    it('erases stored responses too, and retains the receipt under its Idempotency-Key', async () => {
      const idempotency = { 'idempotency-key': 'add-ida' };
      const body = { user_id: 'ida', content: 'Ida likes tea.', category: 'preferences' };
      const { body: added } = await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', {
        body,
        headers: idempotency,
      });
      const headers = { 'idempotency-key': 'erase-ida' };
      const first = await erase('ida', headers);
      expect((await erase('ida', headers)).headers.get('idempotency-replayed')).toBe('true');
      const again = await gateway.send<MemoryWritten>(key, 'POST', '/v1/memories', { body, headers: idempotency });
      expect(again.status).toBe(201);
      expect(again.body.memory.id).not.toBe(added.memory.id);
      expect(first.body.counts).toMatchObject({ idempotency_keys: 1 });
    });

    it('returns the same receipt when no new data was stored since', async () => {
      await add('lou', 'Lou likes tea.');
      const first = await erase('lou', { 'idempotency-key': 'erase-lou' });
      expect((await erase('lou')).body).toEqual(first.body);
      expect((await erase('lou', { 'idempotency-key': 'erase-lou-again' })).body).toEqual(first.body);
    });

    it('finds a user who only appears in events, as the export does', async () => {
      const bound = await gateway.makeKey({ tenantId, userId: 'gus' });
      expect((await gateway.send(bound, 'GET', '/v1/users/nia/export')).status).toBe(403);
      const seen = () => gateway.send<{ items: unknown[] }>(key, 'GET', '/v1/events?user_id=nia');
      await waitUntil(async () => (await seen()).body.items.length > 0, { describe: 'the refusal is recorded' });
      const { rows, manifest, end } = await exportOf('nia');
      expect([rows.map(({ kind }) => kind), manifest.chain.seq, end.unchanged]).toEqual([['event'], 0, true]);
      expect(await erase('nia')).toMatchObject({ status: 200, body: { counts: { events: 1 }, chain: { seq: 1 } } });
      expect((await seen()).body.items).toEqual([]);
    });

    it('is counted and logged once, without the user’s id and data', async () => {
      await add('lea', 'Lea likes velmorphic tea.');
      const before = await countErasures('user');
      const { body: receipt } = await erase('lea');
      await erase('lea');
      await erase('nobody');
      expect(await countErasures('user')).toBe(before + 1);
      await add('lea', 'Lea likes velmorphic tea again.');
      for (const _again of [1, 2]) await erase('lea', { 'idempotency-key': 'erase-lea' });
      expect(await countErasures('user')).toBe(before + 2);
      const lines = gateway.log.filter((line) => line.includes(receipt.id));
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { level: 'info', event: 'user_erased', context: { tenantId, receiptId: receipt.id } },
      ]);
      const rows = Object.values(receipt.counts).reduce((all, count) => all + count, 0);
      expect(lines[0]).toContain(`"rows":${rows}`);
      expect(gateway.log.join('')).not.toMatch(/velmorphic|"lea"/);
    });

    it('is only for keys that may see all data of the user', async () => {
      await add('jon', 'Jon likes tea.');
      expect((await erase('nobody')).status).toBe(404);
      for (const keyOptions of [
        { scopes: ['ingest', 'query'] as const },
        { userId: 'gus' },
        { categories: ['goals'] },
      ]) {
        const other = await gateway.makeKey({ tenantId, ...keyOptions });
        expect((await gateway.send(other, 'DELETE', '/v1/users/jon')).status).toBe(403);
      }
      expect((await gateway.send<{ items: Memory[] }>(key, 'GET', '/v1/memories?user_id=jon')).body.items).toHaveLength(
        1,
      );
    });
  });

  it('counts and logs the forgetting of a conversation once', async () => {
    const { conversation_id: id } = await postMessages('mia', 'I like velmorphic tea', 'and so on');
    const before = await countErasures('conversation');
    for (const status of [200, 404]) {
      expect((await gateway.send(key, 'DELETE', `/v1/conversations/${id}`)).status).toBe(status);
    }
    expect(await countErasures('conversation')).toBe(before + 1);
    const lines = gateway.log.filter((line) => line.includes('conversation_forgotten'));
    expect(lines.map((line) => (JSON.parse(line) as { context: object }).context)).toContainEqual(
      expect.objectContaining({ tenantId, conversationId: id, messages: 2, memoriesDeleted: 0 }),
    );
    expect(lines.join('')).not.toMatch(/velmorphic|mia/);
  });

  it('forgets a conversation, after which it is not found', async () => {
    const { conversation_id: id, batch_ids: batches } = await postMessages('kim', 'hello');
    const forgotten = await gateway.send<ConversationForgotten>(key, 'DELETE', `/v1/conversations/${id}`);
    expect(forgotten).toMatchObject({
      status: 200,
      body: { conversation_id: id, counts: { messages: 1, batches: 1, work: 1 }, memories_deleted: [] },
    });
    expect((await gateway.send(key, 'GET', `/v1/conversations/${id}`)).status).toBe(404);
    expect((await gateway.send(key, 'GET', `/v1/batches/${batches[0]}`)).status).toBe(404);
    expect((await gateway.send(key, 'DELETE', `/v1/conversations/${id}`)).status).toBe(404);
    const other = await gateway.makeKey({ tenantId, categories: ['goals'] });
    expect((await gateway.send(other, 'DELETE', `/v1/conversations/${id}`)).body.code).toBe('forbidden_category');
  });
});
