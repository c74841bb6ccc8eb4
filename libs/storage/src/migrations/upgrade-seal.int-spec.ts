import { createHmac, randomBytes } from 'node:crypto';
import type { ErasureReceipt } from '@annals/contracts';
import { CHAIN_START, chainedFields, chainHash, contentHmac, replacedHashHmac, userPseudonym } from '@annals/domain';
import type { AuditFinding } from '../audit/audit-finding.js';
import { compareHeads } from '../audit/heads.js';
import { verifyReceipt } from '../audit/receipts.js';
import { verifyAudit } from '../audit/verify-audit.js';
import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { RecallFixture } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import { eraseUser } from '../privacy/erase-user.js';
import { MIGRATIONS } from './index.js';

const NAMING_IDS = 3;
const KEY = Buffer.alloc(32, 3);
const AT = '2026-01-05T08:00:00.000Z';
const [LIVE, GONE] = ['grace-hopper-1906', 'alan-turing-1912'];

interface Written {
  readonly seq: number;
  readonly head: string;
  readonly memoryIds: readonly string[];
}

describe('histories that name their users', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let recall: RecallFixture;
  let live: Written;
  let receipt: ErasureReceipt;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, NAMING_IDS);
    tenantId = await fixture.addTenant();
    recall = new RecallFixture(fixture, tenantId);
    live = await writeAsBefore(LIVE, ['Grace likes tea.', 'Grace likes coffee.']);
    receipt = await eraseAsBefore(GONE, await writeAsBefore(GONE, ['Alan likes tea.']));
    expect(await migrate(fixture.testDatabase.admin)).toEqual(MIGRATIONS.slice(NAMING_IDS).map(({ name }) => name));
  });
  afterAll(() => fixture.close());

  /** Memories and their history, as the release before wrote them. */
  async function writeAsBefore(userId: string, contents: readonly string[]): Promise<Written> {
    await fixture.queryAsSuperuser(
      `INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [tenantId, userId, AT],
    );
    let end = CHAIN_START;
    const memoryIds: string[] = [];
    for (const content of contents) {
      const memoryId = fixture.ids.next();
      memoryIds.push(memoryId);
      await fixture.queryAsSuperuser(
        `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state,
           origin, importance, confidence, valid_from, recorded_at, updated_at)
         VALUES ($1, $2, $3, 'preferences', 'semantic', $4, $4, 'v1', 'active', 'manual', 3, 0.8, $5, $5, $5)`,
        [tenantId, memoryId, userId, content, AT],
      );
      end = await appendAsBefore(userId, end, { memoryId, event: 'ADD', content, meta: {} });
    }
    return { ...end, memoryIds };
  }

  async function appendAsBefore(
    userId: string,
    { seq, head }: { seq: number; head: string },
    row: { memoryId: string | null; event: 'ADD' | 'ERASE'; content: string; meta: Record<string, never> },
  ) {
    const salt = randomBytes(16);
    const draft = { ...row, oldRef: null, newRef: null, id: fixture.ids.next(), seq: seq + 1, stateHmac: null };
    const hashed = { ...draft, contentHmac: contentHmac(salt, row.content) };
    const context = { userId, pseudonym: '', actor: 'test', batchId: null, ts: AT };
    const hash = chainHash(head, chainedFields(hashed, context, 1), 1);
    await fixture.queryAsSuperuser(
      `INSERT INTO history (tenant_id, user_id, seq, id, memory_id, event, actor, meta, content, salt, content_hmac,
                            prev_hash, hash, ts)
       VALUES ($1, $2, $3, $4, $5, $6, 'test', '{}', $7, $8, decode($9, 'hex'), decode($10, 'hex'), decode($11, 'hex'),
               $12)`,
      [
        tenantId,
        userId,
        seq + 1,
        draft.id,
        row.memoryId,
        row.event,
        row.content,
        salt,
        hashed.contentHmac,
        head,
        hash,
        AT,
      ],
    );
    await fixture.queryAsSuperuser(
      `UPDATE users SET chain_seq = $3, chain_head = decode($4, 'hex') WHERE tenant_id = $1 AND user_id = $2`,
      [tenantId, userId, seq + 1, hash],
    );
    return { seq: seq + 1, head: hash };
  }

  async function eraseAsBefore(userId: string, written: Written): Promise<ErasureReceipt> {
    await fixture.queryAsSuperuser('DELETE FROM memories WHERE user_id = $1', [userId]);
    await fixture.queryAsSuperuser('UPDATE history SET content = NULL, salt = NULL WHERE user_id = $1', [userId]);
    const chain = await appendAsBefore(userId, written, { memoryId: null, event: 'ERASE', content: '', meta: {} });
    await fixture.queryAsSuperuser('UPDATE users SET erased_at = $2 WHERE user_id = $1', [userId, AT]);
    const named = {
      id: fixture.ids.next(),
      tenant_id: tenantId,
      user_id: userId,
      erased_at: AT,
      counts: { memories: 1 },
      chain,
    };
    // Canonical JSON, as its members are in order.
    const { id, counts } = named;
    const { seq, head } = chain;
    const signed = { chain: { head, seq }, counts, erased_at: AT, id, tenant_id: tenantId, user_id: userId };
    const signature = createHmac('sha256', KEY)
      .update(`annals.receipt.v1\n${JSON.stringify(signed)}`)
      .digest('hex');
    await fixture.queryAsSuperuser(
      `INSERT INTO erasure_receipts (tenant_id, id, user_id, erased_at, counts, chain_seq, chain_head, signature)
       VALUES ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), decode($8, 'hex'))`,
      [tenantId, named.id, userId, AT, named.counts, chain.seq, chain.head, signature],
    );
    return { ...named, resealed: null, history_pseudonym: null, signature, vault: null };
  }

  const findings = async () => {
    const found: AuditFinding[] = [];
    await verifyAudit(fixture.database, { tenantId, keys: [KEY], report: (finding) => found.push(finding) });
    return found;
  };
  const compare = async (userId: string, { seq, head }: { seq: number; head: string }) => {
    const found: AuditFinding[] = [];
    await compareHeads(fixture.database, tenantId, [{ tenantId, userId, seq, head }], (finding) => found.push(finding));
    return found.map(({ fault }) => fault);
  };
  const erase = async (userId: string) => {
    const dependencies = { clock: fixture.clock, ids: fixture.ids, randomBytes };
    const erased = await fixture.inTenant(tenantId, (tx) =>
      eraseUser(tx, { userId, actor: 'test', key: KEY }, dependencies),
    );
    return erased!;
  };
  const pseudonymOf = (userId: string) => userPseudonym(fixture.database.chainKey, tenantId, userId);

  // In order: each goes on with what the ones before it left.
  it('verify, with their memories and receipts', async () => {
    expect(await findings()).toEqual([]);
    expect(await verifyReceipt(fixture.database, [KEY], receipt)).toEqual([]);
  });

  it('are continued without the id', async () => {
    await recall.write(LIVE, { kind: 'edit', memoryId: live.memoryIds[0]!, patch: { pinned: true } });
    const rows = await fixture.queryAsSuperuser('SELECT version FROM history WHERE user_id = $1 ORDER BY seq', [LIVE]);
    expect(rows).toEqual([{ version: 1 }, { version: 1 }, { version: 2 }]);
    expect(await findings()).toEqual([]);
    await fixture.queryAsSuperuser('UPDATE memories SET pinned = false WHERE id = $1', [live.memoryIds[0]]);
    expect(await findings()).toMatchObject([{ fault: 'memory_state_changed', memoryId: live.memoryIds[0] }]);
    await fixture.queryAsSuperuser('UPDATE memories SET pinned = true WHERE id = $1', [live.memoryIds[0]]);
  });

  it('are rewritten by an erasure, whose receipt says where they ended', async () => {
    const [before] = await fixture.queryAsSuperuser<{ head: string }>(
      `SELECT encode(chain_head, 'hex') AS head FROM users WHERE user_id = $1`,
      [LIVE],
    );
    const { receipt: made } = await erase(LIVE);
    const headHmac = replacedHashHmac(fixture.database.chainKey, before!.head);
    expect(made).toMatchObject({ user_id: LIVE, chain: { seq: 4 }, resealed: { seq: 3, head_hmac: headHmac } });
    expect(await fixture.findTablesContaining(LIVE)).toEqual([]);
    expect(await findings()).toEqual([]);
    expect(await verifyReceipt(fixture.database, [KEY], made)).toEqual([]);
    expect(await verifyReceipt(fixture.database, [KEY], { ...made, user_id: GONE })).toEqual(['forged_receipt']);
    // Heads that were exported before are still found.
    expect(await compare(LIVE, live)).toEqual([]);
    expect(await compare(LIVE, { seq: 3, head: before!.head })).toEqual([]);
    expect(await compare(LIVE, { seq: 3, head: live.head })).toEqual(['rewritten']);
  });

  it('of users erased before are rewritten when they are erased again, and their receipts stay valid', async () => {
    expect(await fixture.findTablesContaining(GONE)).not.toEqual([]);
    const again = await erase(GONE);
    expect(again).toMatchObject({ isRepeated: true, receipt: { id: receipt.id, resealed: { seq: 2 } } });
    expect(again.receipt.chain.head).not.toBe(receipt.chain.head);
    expect(await fixture.findTablesContaining(GONE)).toEqual([]);
    expect(await findings()).toEqual([]);
    for (const proof of [receipt, again.receipt]) {
      expect(await verifyReceipt(fixture.database, [KEY], proof)).toEqual([]);
    }
    expect((await erase(GONE)).receipt).toEqual(again.receipt);
  });

  it('of a returned user can be begun by a process of the earlier release, and are erased as well', async () => {
    await writeAsBefore(LIVE, ['Grace likes milk.', 'Grace likes rum.']);
    expect(await findings()).toEqual([]);
    await recall.remember(LIVE, 'Grace likes cider.');
    expect(await findings()).toEqual([]);
    const { receipt: second } = await erase(LIVE);
    expect(second).toMatchObject({ chain: { seq: 8 }, resealed: { seq: 7 } });
    expect(await fixture.findTablesContaining(LIVE)).toEqual([]);
    const rows = await fixture.queryAsSuperuser<{ seq: string }>(
      'SELECT seq FROM history WHERE user_id = $1 AND version = 2 ORDER BY seq',
      [pseudonymOf(LIVE)],
    );
    expect(rows.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await findings()).toEqual([]);
    expect(await verifyReceipt(fixture.database, [KEY], second)).toEqual([]);
  });
});
