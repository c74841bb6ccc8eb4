import { randomBytes } from 'node:crypto';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { eraseUser } from '../privacy/erase-user.js';
import { purgeMemories } from '../lifecycle/expire-and-purge.js';
import { appendHistory } from './user-chain.js';
import type { AuditFault, AuditFinding } from './audit-finding.js';
import { type ChainHead, compareHeads, readHeads } from './heads.js';
import { verifyAudit } from './verify-audit.js';

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
    const counts = await verifyAudit(fixture.database, { tenantId, key: KEY, report: (found) => findings.push(found) });
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
    expect(await verify()).toEqual({ findings: [], counts: { tenants: 1, users: 3, rows: 2_504, receipts: 0 } });
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
    ['a row removed from the end', `DELETE FROM history WHERE TENANT AND seq = 3`, [['cut_off', 'ada', 3]]],
    [
      'a row removed from the middle',
      `DELETE FROM history WHERE TENANT AND seq = 2`,
      [
        ['gap', 'ada', 3],
        ['wrong_predecessor', 'ada', 3],
      ],
    ],
    ['all rows of a user', `DELETE FROM history WHERE TENANT`, [['cut_off', 'ada', 3]]],
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
    expect(await faults()).toEqual([]);
    await tamper(`UPDATE history SET content = 'Ada likes tea.', salt = '\\x00' WHERE TENANT AND seq = 1`);
    expect(await faults()).toEqual([['wrong_content', 'ada', 1]]);
    await tamper(`UPDATE history SET content = NULL, salt = NULL WHERE TENANT AND seq = 1`);
    await tamper(`UPDATE erasure_receipts SET counts = counts || '{"messages": 7}' WHERE TENANT`);
    expect(await faults()).toEqual([['forged_receipt', 'ada', 2]]);
    await tamper(`UPDATE erasure_receipts SET counts = counts || '{"messages": 0}' WHERE TENANT`);
    await tamper(`UPDATE users SET erased_at = NULL WHERE TENANT`);
    expect(await faults()).toEqual([['not_erased', 'ada', 2]]);
    await tamper(`DELETE FROM erasure_receipts WHERE TENANT`);
    expect(await faults()).toEqual([
      ['content_missing', 'ada', 1],
      ['no_receipt', 'ada', 2],
    ]);
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
