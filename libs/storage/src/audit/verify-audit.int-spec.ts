import { userPseudonym } from '@annals/domain';
import { randomBytes } from 'node:crypto';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { MEMORY_COLUMNS, type MemoryRow, toStoredMemory } from '../memories/memory-statements.js';
import { purgeMemories } from '../lifecycle/expire-and-purge.js';
import { appendHistory } from './user-chain.js';
import type { AuditFault, AuditFinding } from './audit-finding.js';
import { type ChainHead, compareHeads, readHeads } from './heads.js';
import type { Database } from '../database/database.js';
import { SecretKeyMismatchError } from '../database/errors.js';
import { verifyAudit } from './verify-audit.js';
import { verifyHistory } from './verify-history.js';

const KEY = Buffer.alloc(32, 3);
const DAY_MS = 86_400_000;

describe('verifying the audit', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let recall: RecallFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  beforeEach(async () => {
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
  });
  afterAll(() => fixture.close());

  const dependencies = () => ({ clock: fixture.clock, ids: fixture.ids, randomBytes });
  const verify = async () => {
    const findings: AuditFinding[] = [];
    const counts = await verifyAudit(fixture.database, {
      tenantId,
      keys: [KEY],
      report: (found) => findings.push(found),
    });
    return { counts, findings };
  };
  const faults = async (): Promise<[AuditFault, string | null, number | null][]> =>
    (await verify()).findings.map(({ fault, userId, seq }) => [fault, userId, seq]);
  const tamper = (sql: string) => fixture.queryAsSuperuser(sql.replaceAll('TENANT', `tenant_id = '${tenantId}'`));

  it('reports no findings for an unmodified tenant, whatever the length of its history', async () => {
    await recall.remember('ada', 'Ada likes tea.', 'Ada likes coffee.');
    const [bob] = await recall.remember('bob', 'Bob likes tea.');
    await recall.write('bob', { kind: 'delete', memoryId: bob!, by: 'user' });
    const rows = Array.from({ length: 2_500 }, (_, index) => ({
      memoryId: null,
      event: 'CONSENT' as const,
      oldRef: null,
      newRef: null,
      content: `field ${index}`,
      meta: { index },
    }));
    await fixture.inTenant(tenantId, (tx) => appendHistory(tx, { userId: 'cat', actor: 'test', rows }, dependencies()));
    expect(await verify()).toEqual({
      findings: [],
      counts: { tenants: 1, users: 3, rows: 2_504, receipts: 0, memories: 3 },
    });
  });

  describe('while users are erased between two reads of their history', () => {
    const append = (userId: string, count: number) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        memoryId: null,
        event: 'CONSENT' as const,
        oldRef: null,
        newRef: null,
        content: `field ${index}`,
        meta: {},
      }));
      return fixture.inTenant(tenantId, (tx) => appendHistory(tx, { userId, actor: 'test', rows }, dependencies()));
    };
    const erase = () =>
      fixture.inTenant(tenantId, (tx) => eraseUser(tx, { userId: 'ada', actor: 'test', key: KEY }, dependencies()));
    /** Verifies the history while each change is made after that many reads. */
    async function verifyWith(changes: Readonly<Record<number, () => Promise<unknown>>>) {
      const { database } = fixture;
      let reads = 0;
      const changing: Pick<Database, 'readTenant'> = {
        readTenant: async (id, work) => {
          const result = await database.readTenant(id, work);
          reads += 1;
          await changes[reads]?.();
          return result;
        },
      };
      const found: AuditFinding[] = [];
      const report = (finding: AuditFinding) => void found.push(finding);
      const { users } = await verifyHistory(changing, { tenantId, report, chainKey: database.chainKey });
      expect(reads).toBeGreaterThan(Math.max(...Object.keys(changes).map(Number)));
      return { faults: found.map(({ fault, userId, seq }) => [fault, userId, seq]), users };
    }
    const comeBack = () => append('ada', 3);

    // The rows under the pseudonym are read after those of ada and before those of zoe.
    it.each([
      ['erased', 1_500, { 1: erase }, 2],
      ['erased, and comes back', 1_500, { 1: () => erase().then(comeBack) }, 3],
      ['erased at the end of a page, and comes back', 1_000, { 1: () => erase().then(comeBack) }, 3],
      ['erased, and comes back behind the next page', 1_500, { 1: erase, 2: comeBack }, 2],
    ])('reports nothing when a user is %s', async (_name, rows, changes, users) => {
      await append('ada', rows);
      await append('zoe', 1_200);
      expect(await verifyWith(changes)).toEqual({ faults: [], users });
      expect(await faults()).toEqual([]);
    });

    it('reports the row that is missing behind a page of a user who was not erased', async () => {
      await append('ada', 1_500);
      const remove = () => tamper('DELETE FROM history WHERE TENANT AND seq = 1001');
      expect((await verifyWith({ 1: remove })).faults).toEqual([
        ['gap', 'ada', 1_002],
        ['wrong_predecessor', 'ada', 1_002],
      ]);
    });
  });

  it('is not broken by a process with another key: its writes of known users are refused, its pseudonyms not stored', async () => {
    await recall.remember('ada', 'Ada likes tea.');
    const other = await fixture.openAnother({ chainKey: Buffer.alloc(32, 9) });
    const rows = [{ memoryId: null, event: 'CONSENT', oldRef: null, newRef: null, content: 'x', meta: {} }] as const;
    const append = (database: Database) =>
      database.inTenant(tenantId, (tx) => appendHistory(tx, { userId: 'ada', actor: 'test', rows }, dependencies()));
    const refused = append(other);
    await expect(refused).rejects.toBeInstanceOf(SecretKeyMismatchError);
    await expect(refused).rejects.toThrow(/ANNALS_SECRET_KEY/);
    expect(await append(fixture.database)).toMatchObject([{ seq: 2 }]);
    expect(await faults()).toEqual([]);
  });

  it('distinguishes a purge, which requires content to be gone, from removal of content by tampering', async () => {
    const [tea, coffee] = await recall.remember('ada', 'Ada likes tea.', 'Ada likes coffee.');
    await recall.write('ada', { kind: 'delete', memoryId: tea!, by: 'user' });
    fixture.clock.advance(31 * DAY_MS);
    await fixture.inTenant(tenantId, (tx) => purgeMemories(tx, { userId: 'ada', memoryIds: [tea!] }, dependencies()));
    expect(await faults()).toEqual([]);
    await tamper(`UPDATE history SET content = NULL, salt = NULL WHERE TENANT AND memory_id = '${coffee}'`);
    expect(await faults()).toEqual([['content_missing', 'ada', 2]]);
  });

  it.each([
    [
      'a row removed from the end',
      `DELETE FROM history WHERE TENANT AND seq = 3`,
      [
        ['cut_off', 'ada', 3],
        ['memory_inserted', 'ada', null],
      ],
    ],
    [
      'a row removed from the middle',
      `DELETE FROM history WHERE TENANT AND seq = 2`,
      [
        ['gap', 'ada', 3],
        ['wrong_predecessor', 'ada', 3],
        ['memory_inserted', 'ada', null],
      ],
    ],
    [
      'all rows of a user',
      `DELETE FROM history WHERE TENANT`,
      [['cut_off', 'ada', 3], ...Array.from({ length: 3 }, () => ['memory_inserted', 'ada', null])],
    ],
    [
      'a row after the end',
      `INSERT INTO history SELECT (jsonb_populate_record(h, '{"seq": 4}')).* FROM history h WHERE TENANT AND seq = 3`,
      [
        ['wrong_predecessor', 'ada', 4],
        ['wrong_hash', 'ada', 4],
        ['cut_off', 'ada', 3],
      ],
    ],
    ['a changed head', `UPDATE users SET chain_seq = 2 WHERE TENANT`, [['cut_off', 'ada', 2]]],
    ['a user whose row is missing', `UPDATE history SET user_id = 'eve' WHERE TENANT`, null],
    [
      'microseconds',
      `UPDATE history SET ts = ts + interval '1 microsecond' WHERE TENANT AND seq = 2`,
      [['wrong_hash', 'ada', 2]],
    ],
  ])('finds %s', async (_name, sql, expected) => {
    await recall.remember('ada', 'Ada likes tea.', 'Ada likes coffee.', 'Ada likes milk.');
    await tamper(sql);
    const found = await faults();
    if (expected) expect(found).toEqual(expected);
    else expect(found).toContainEqual(['unknown_user', 'eve', null]);
  });

  it('finds an erasure without receipt, a modified receipt, and erased content that reappeared', async () => {
    await recall.remember('ada', 'Ada likes tea.');
    await fixture.inTenant(tenantId, (tx) => eraseUser(tx, { userId: 'ada', actor: 'test', key: KEY }, dependencies()));
    const erased = userPseudonym(fixture.database.chainKey, tenantId, 'ada');
    expect(await faults()).toEqual([]);
    await tamper(`UPDATE history SET content = 'Ada likes tea.', salt = '\\x00' WHERE TENANT AND seq = 1`);
    expect(await faults()).toEqual([['wrong_content', erased, 1]]);
    await tamper(`UPDATE history SET content = NULL, salt = NULL WHERE TENANT AND seq = 1`);
    await tamper(`UPDATE erasure_receipts SET counts = counts || '{"messages": 7}' WHERE TENANT`);
    expect(await faults()).toEqual([['forged_receipt', erased, 2]]);
    await tamper(`UPDATE erasure_receipts SET counts = counts || '{"messages": 0}' WHERE TENANT`);
    await tamper(`UPDATE users SET erased_at = NULL WHERE TENANT`);
    expect(await faults()).toEqual([['not_erased', erased, 2]]);
    await tamper(`DELETE FROM erasure_receipts WHERE TENANT`);
    expect(await faults()).toEqual([
      ['content_missing', erased, 1],
      ['memory_removed', erased, 1],
      ['no_receipt', erased, 2],
    ]);
  });

  describe('of memories that were changed without a history', () => {
    const TEA = 'Ada likes tea.';
    let ids: readonly string[];

    beforeEach(async () => {
      ids = await recall.remember('ada', TEA, 'Ada likes coffee.');
      const [milk] = await recall.remember('ada', 'Ada likes milk.');
      await recall.write('ada', { kind: 'delete', memoryId: milk!, by: 'user' });
      await recall.write('ada', { kind: 'edit', memoryId: ids[1]!, patch: { pinned: true } });
      ids = [...ids, milk!];
    });

    const changed = async () => (await verify()).findings.map(({ fault, memoryId }) => [fault, memoryId]);

    it.each([
      ['its words', `content = 'Ada likes rum.'`, 0, 'memory_content_changed'],
      ['its owner’s state', `state = 'quarantined'`, 0, 'memory_state_changed'],
      ['a deletion', `state = 'soft_deleted', deleted_by = 'user', deleted_at = now()`, 0, 'memory_state_changed'],
      ['a deletion taken back', `state = 'active', deleted_by = NULL, deleted_at = NULL`, 2, 'memory_state_changed'],
      ['its end', `valid_to = now()`, 0, 'memory_state_changed'],
      ['its beginning', `valid_from = valid_from - interval '1 day'`, 0, 'memory_state_changed'],
      ['its successor', `superseded_by = id`, 0, 'memory_state_changed'],
      ['its pin', `pinned = false`, 1, 'memory_state_changed'],
      ['its category', `category = 'goals'`, 0, 'memory_state_changed'],
      ['its importance', `importance = 5`, 0, 'memory_state_changed'],
      ['its confidence', `confidence = confidence - 0.01`, 0, 'memory_state_changed'],
      ['why it was held back', `quarantine_reason = 'x'`, 0, 'memory_state_changed'],
      ['its rationale', `rationale = 'x'`, 0, 'memory_state_changed'],
      ['its context', `emotional_context = '{"mood": "x"}'`, 0, 'memory_state_changed'],
      ['when it is purged', `purge_at = purge_at + interval '1 day'`, 2, 'memory_state_changed'],
    ])('finds %s', async (_name, change, index, fault) => {
      expect(await changed()).toEqual([]);
      await tamper(`UPDATE memories SET ${change} WHERE TENANT AND id = '${ids[index]}'`);
      expect(await changed()).toEqual([[fault, ids[index]]]);
    });

    it('finds one that was inserted, one that was removed, and one that was given to another user', async () => {
      const copy = fixture.ids.next();
      await tamper(
        `INSERT INTO memories SELECT (jsonb_populate_record(m, '{"id": "${copy}", "normalized_hash": "x"}')).*
           FROM memories m WHERE TENANT AND id = '${ids[0]}'`,
      );
      expect(await changed()).toEqual([['memory_inserted', copy]]);
      await tamper(`DELETE FROM memories WHERE TENANT AND id = '${copy}'`);
      await recall.remember('bob', 'Bob likes tea.');
      await tamper(`UPDATE memories SET user_id = 'bob' WHERE TENANT AND id = '${ids[0]}'`);
      expect(await changed()).toEqual([
        ['memory_removed', ids[0]],
        ['memory_inserted', ids[0]],
      ]);
      for (const table of ['memory_access', 'memory_embeddings']) {
        await tamper(`DELETE FROM ${table} WHERE TENANT AND memory_id = '${ids[0]}'`);
      }
      await tamper(`DELETE FROM memories WHERE TENANT AND id = '${ids[0]}'`);
      expect(await changed()).toEqual([['memory_removed', ids[0]]]);
    });

    it('checks what rows of an earlier release say: content, and deleted or not', async () => {
      await tamper(`UPDATE history SET version = 1, state_hmac = NULL WHERE TENANT`);
      const inMemories = async () => (await changed()).filter(([, id]) => id !== undefined);
      expect(await inMemories()).toEqual([]);
      await tamper(`UPDATE memories SET importance = 5 WHERE TENANT AND id = '${ids[0]}'`);
      expect(await inMemories()).toEqual([]);
      await tamper(`UPDATE memories SET state = 'soft_deleted' WHERE TENANT AND id = '${ids[0]}'`);
      await tamper(`UPDATE memories SET content = 'x' WHERE TENANT AND id = '${ids[1]}'`);
      expect(await inMemories()).toEqual([
        ['memory_state_changed', ids[0]],
        ['memory_content_changed', ids[1]],
      ]);
    });

    it('finds a history that was rewritten to match, since nobody without the key can compute its state', async () => {
      await tamper(`UPDATE memories SET importance = 5 WHERE TENANT AND id = '${ids[0]}'`);
      const forger = await fixture.openAnother({ chainKey: Buffer.alloc(32, 66) });
      await tamper(`DELETE FROM history WHERE TENANT`);
      await tamper(`UPDATE users SET chain_seq = 0, chain_head = NULL, pseudonym = NULL WHERE TENANT`);
      await forger.inTenant(tenantId, async (tx) => {
        const rows = await tx.query<MemoryRow>(`SELECT ${MEMORY_COLUMNS} FROM memories m ORDER BY id`);
        const drafts = rows.map((row) => ({
          memoryId: row.id,
          event: row.state === 'active' ? ('ADD' as const) : ('DELETE' as const),
          oldRef: null,
          newRef: null,
          content: row.content,
          meta: {},
          memory: toStoredMemory(row),
        }));
        await appendHistory(tx, { userId: 'ada', actor: 'test', rows: drafts }, dependencies());
      });
      expect(await changed()).toEqual([
        ['wrong_pseudonym', undefined],
        ...ids.map((id) => ['memory_state_changed', id]),
      ]);
    });
  });

  it('compares chains with exported heads: detects a rewrite and a shorter chain, and accepts growth', async () => {
    await recall.remember('ada', 'Ada likes tea.', 'Ada likes coffee.');
    await recall.remember('bob', 'Bob likes tea.');
    const exported: ChainHead[] = [];
    for await (const head of readHeads(fixture.database, tenantId)) exported.push(head);
    expect(exported.map(({ userId, seq }) => [userId, seq])).toEqual([
      ['ada', 2],
      ['bob', 1],
    ]);
    const compare = async (heads = exported) => {
      const findings: AuditFinding[] = [];
      await compareHeads(fixture.database, tenantId, heads, (found) => findings.push(found));
      return findings.map(({ fault, userId, seq }) => [fault, userId, seq]);
    };
    await recall.remember('ada', 'Ada likes milk.');
    expect(await compare()).toEqual([]);
    // A chain alone cannot detect a complete rewrite by somebody who knows the hash algorithm.
    await tamper(`DELETE FROM history WHERE TENANT`);
    await tamper(`DELETE FROM memory_embeddings WHERE TENANT`);
    await tamper(`DELETE FROM memories WHERE TENANT`);
    await tamper(`UPDATE users SET chain_seq = 0, chain_head = NULL WHERE TENANT`);
    const rows = [{ memoryId: null, event: 'ADD' as const, oldRef: null, newRef: null, content: 'lies', meta: {} }];
    for (const userId of ['ada', 'bob']) {
      await fixture.inTenant(tenantId, (tx) => appendHistory(tx, { userId, actor: 'test', rows }, dependencies()));
    }
    expect(await faults()).toEqual([]);
    expect(await compare()).toEqual([
      ['truncated', 'ada', 2],
      ['rewritten', 'bob', 1],
    ]);
    const findings: AuditFinding[] = [];
    await compareHeads(fixture.database, fixture.ids.next(), exported, (found) => findings.push(found));
    expect(findings).toMatchObject([{ fault: 'unknown_tenant', userId: null }]);
  });
});
