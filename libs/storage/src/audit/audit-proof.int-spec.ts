import { sized } from '@annals/testing';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import type { AuditFinding } from './audit-finding.js';
import { findHistoryFaults, type OperationEffects, RandomWriter } from './random-operations.fixture.js';
import { verifyAudit } from './verify-audit.js';

const KEY = Buffer.alloc(32, 3);
const WRITERS = 16;
const USERS = Array.from({ length: 60 }, (_, index) => `user-${String(index).padStart(2, '0')}`);

/** SQL that changes one byte of a column, or the smallest part of a value that is not text. */
const flipText = (column: string) =>
  `${column} = overlay(${column} PLACING chr(ascii(right(${column}, 1)) # 1) FROM length(${column}))`;
const flipHex = (column: string) => `${column} = overlay(${column}::text PLACING
  CASE WHEN right(${column}::text, 1) = '0' THEN '1' ELSE '0' END FROM 36)::uuid`;
const flipBytes = (column: string) => `${column} = set_byte(${column}, 3, get_byte(${column}, 3) # 1)`;

const TAMPERINGS: Readonly<Record<string, string>> = {
  user_id: `user_id = user_id || '.'`,
  seq: 'seq = seq + 1000000',
  id: flipHex('id'),
  memory_id: flipHex('memory_id'),
  event: `event = CASE event WHEN 'ADD' THEN 'UPDATE' ELSE 'ADD' END`,
  old_ref: flipHex('old_ref'),
  new_ref: flipHex('new_ref'),
  actor: flipText('actor'),
  batch_id: `batch_id = id`,
  meta: `meta = meta || '{"reason": "none"}'`,
  content: flipText('content'),
  salt: flipBytes('salt'),
  content_hmac: flipBytes('content_hmac'),
  prev_hash: flipBytes('prev_hash'),
  hash: flipBytes('hash'),
  ts: `ts = ts + interval '1 microsecond'`,
};

/** Changes of a served memory that keep its row valid for PostgreSQL. */
const MEMORY_TAMPERINGS: Readonly<Record<string, string>> = {
  content: `content = content || '.'`,
  category: `category = category || '.'`,
  type: `type = CASE type WHEN 'insight' THEN 'semantic' ELSE 'insight' END`,
  state: `state = 'soft_deleted'`,
  origin: `origin = CASE origin WHEN 'manual' THEN 'extraction' ELSE 'manual' END`,
  importance: 'importance = importance % 5 + 1',
  confidence: 'confidence = CASE WHEN confidence < 0.5 THEN confidence + 0.25 ELSE confidence - 0.25 END',
  pinned: 'pinned = NOT pinned',
  emotional_context: `emotional_context = coalesce(emotional_context, '{}') || '{"mood": "x"}'`,
  significance: `significance = coalesce(significance, '{}') || '{"level": "x"}'`,
  relationship_dynamics: `relationship_dynamics = coalesce(relationship_dynamics, '{}') || '{"trust": "x"}'`,
  rationale: `rationale = coalesce(rationale, '') || '.'`,
  provider: `provider = coalesce(provider, '') || '.'`,
  model: `model = coalesce(model, '') || '.'`,
  cost_micro_usd: 'cost_micro_usd = cost_micro_usd + 1',
  quarantine_reason: `quarantine_reason = coalesce(quarantine_reason, '') || '.'`,
  revision: 'revision = revision + 1',
  valid_from: `valid_from = valid_from - interval '1 second'`,
  valid_to: `valid_to = coalesce(valid_to, valid_from) + interval '1 second'`,
  superseded_by: 'superseded_by = id',
  recorded_at: `recorded_at = recorded_at - interval '1 second'`,
  closed_at: `closed_at = coalesce(closed_at, recorded_at) + interval '1 second'`,
  former_ends: `former_ends = '[{"since": 1, "validTo": null}]'`,
  deleted_at: `deleted_at = coalesce(deleted_at, recorded_at) + interval '1 second'`,
  deleted_by: `deleted_by = CASE deleted_by WHEN 'user' THEN 'ttl' ELSE 'user' END`,
  purge_at: `purge_at = coalesce(purge_at, recorded_at) + interval '1 second'`,
};

describe('the audit history of random operations', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let operations: number;
  const observed: OperationEffects[] = [];

  beforeAll(async () => {
    fixture = await StorageFixture.open({ poolSize: WRITERS });
    operations = fixture.testDatabase.profile === 'services' ? sized(1_200, 10_000) : 960;
    tenantId = await fixture.addTenant();
    const now = new Date(fixture.clock.now());
    await fixture.inTenant(tenantId, (tx) =>
      tx.execute('INSERT INTO users (user_id, created_at) SELECT unnest($1::text[]), $2', [USERS, now]),
    );
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, index) => {
        const writer = new RandomWriter(fixture, tenantId, USERS, index + 1);
        for (let done = 0; done < operations / WRITERS; done += 1) {
          fixture.clock.advance(1_000);
          observed.push(await writer.runRandomOperation());
        }
      }),
    );
  });
  afterAll(() => fixture.close());

  const verify = async () => {
    const findings: AuditFinding[] = [];
    const counts = await verifyAudit(fixture.database, {
      tenantId,
      keys: [KEY],
      report: (found) => findings.push(found),
    });
    return { counts, findings };
  };

  it('is complete: each change has exactly its rows, and no row lacks a change', () => {
    expect(observed).toHaveLength(operations);
    const faults = observed.flatMap(findHistoryFaults);
    const counted = Object.groupBy(faults, (fault) => fault);
    expect(Object.fromEntries(Object.entries(counted).map(([fault, all]) => [fault, all!.length]))).toEqual({});
    const events = new Set(observed.flatMap(({ rows }) => rows.map(({ event }) => event)));
    expect([...events].toSorted()).toEqual([
      'ADD',
      'CONSENT',
      'DELETE',
      'LINK',
      'MERGE',
      'PURGE',
      'QUARANTINE',
      'RESTORE',
      'TTL',
      'UNDO',
      'UPDATE',
    ]);
    expect(observed.some(({ changed }) => changed.length === 0)).toBe(true);
  });

  it('verifies, and contains everything that was written', async () => {
    const rows = observed.reduce((sum, operation) => sum + operation.rows.length, 0);
    expect(await verify()).toEqual({
      findings: [],
      counts: { tenants: 1, users: USERS.length, rows, receipts: 0, memories: expect.any(Number) },
    });
  });

  describe('after tampering with memories', () => {
    afterEach(async () => {
      await fixture.queryAsSuperuser('DELETE FROM memories m WHERE NOT EXISTS (SELECT FROM kept k WHERE k.id = m.id)');
      await fixture.queryAsSuperuser('DELETE FROM memories m WHERE m.id IN (SELECT id FROM touched)');
      await fixture.queryAsSuperuser('INSERT INTO memories SELECT * FROM kept WHERE id IN (SELECT id FROM touched)');
      await fixture.queryAsSuperuser('DROP TABLE annals.kept');
      await fixture.queryAsSuperuser('DROP TABLE annals.touched');
      expect((await verify()).findings).toEqual([]);
    });

    /** Active current memories that no other row refers to, each of another content or user. */
    async function chooseMemories(seed: string, count: number) {
      await fixture.queryAsSuperuser('CREATE TABLE annals.kept AS SELECT * FROM annals.memories');
      await fixture.queryAsSuperuser('CREATE INDEX ON annals.kept (id)');
      const rows = await fixture.queryAsSuperuser<{ id: string; user_id: string }>(
        `SELECT id, user_id FROM memories m
          WHERE state = 'active' AND superseded_by IS NULL AND valid_to IS NULL
            AND NOT EXISTS (SELECT FROM relations r WHERE m.id IN (r.from_id, r.to_id))
            AND NOT EXISTS (SELECT FROM memory_embeddings e WHERE e.memory_id = m.id)
          ORDER BY md5(id || $1) LIMIT $2`,
        [seed, count],
      );
      expect(rows).toHaveLength(count);
      await fixture.queryAsSuperuser('CREATE TABLE annals.touched AS SELECT unnest($1::uuid[]) AS id', [
        rows.map(({ id }) => id),
      ]);
      return rows;
    }
    const findChanged = async () =>
      (await verify()).findings.map(({ fault, memoryId }) => `${fault} ${memoryId}`).toSorted();

    it.each([1, 2, 3])('finds exactly what was changed, in any field (%i)', async (round) => {
      const columns = Object.keys(MEMORY_TAMPERINGS);
      const chosen = await chooseMemories(`round ${round}`, columns.length);
      for (const [index, column] of columns.entries()) {
        await fixture.queryAsSuperuser(`UPDATE memories SET ${MEMORY_TAMPERINGS[column]} WHERE id = $1`, [
          chosen[index]!.id,
        ]);
      }
      const expected = columns.map((column, index) => {
        return `memory_${column === 'content' ? 'content' : 'state'}_changed ${chosen[index]!.id}`;
      });
      expect(await findChanged()).toEqual(expected.toSorted());
    });

    it('finds exactly what was removed, inserted and given to another user', async () => {
      const [removed, copied, moved] = await chooseMemories('rows', 3);
      const copy = fixture.ids.next();
      await fixture.queryAsSuperuser('DELETE FROM memories WHERE id = $1', [removed!.id]);
      await fixture.queryAsSuperuser(
        `INSERT INTO memories SELECT (jsonb_populate_record(m, jsonb_build_object('id', $2::text, 'normalized_hash', 'x'))).*
           FROM memories m WHERE id = $1`,
        [copied!.id, copy],
      );
      await fixture.queryAsSuperuser(`UPDATE memories SET user_id = $2, normalized_hash = 'y' WHERE id = $1`, [
        moved!.id,
        USERS.find((user) => user !== moved!.user_id),
      ]);
      const expected = [
        `memory_removed ${removed!.id}`,
        `memory_inserted ${copy}`,
        `memory_removed ${moved!.id}`,
        `memory_inserted ${moved!.id}`,
      ];
      expect(await findChanged()).toEqual(expected.toSorted());
    });
  });

  it('is verified while others write, without a finding', async () => {
    const writers = Array.from({ length: 4 }, (_, index) => new RandomWriter(fixture, tenantId, USERS, 100 + index));
    const verified = new AbortController();
    const writing = Promise.all(
      writers.map(async (writer) => {
        while (!verified.signal.aborted) {
          fixture.clock.advance(1_000);
          await writer.runRandomOperation();
        }
      }),
    );
    try {
      for (let round = 0; round < 3; round += 1) expect((await verify()).findings).toEqual([]);
    } finally {
      verified.abort();
      await writing;
    }
  });

  describe('after tampering', () => {
    beforeAll(async () => {
      await fixture.queryAsSuperuser('CREATE TABLE annals.original AS SELECT * FROM annals.history');
      await fixture.queryAsSuperuser('CREATE INDEX ON annals.original (user_id, seq)');
    });
    afterEach(async () => {
      await fixture.queryAsSuperuser('DELETE FROM history');
      await fixture.queryAsSuperuser('INSERT INTO history SELECT * FROM original');
      expect((await verify()).findings).toEqual([]);
    });
    afterAll(() => fixture.queryAsSuperuser('DROP TABLE annals.original'));

    it.each([1, 2, 3])('detects one changed byte in any column of any row (%i)', async (round) => {
      const touched = new Map<string, string>();
      for (const [column, change] of Object.entries(TAMPERINGS)) {
        const place = await chooseRow(column, `round ${round}`, [...touched.values()]);
        await fixture.queryAsSuperuser(`UPDATE history SET ${change} WHERE user_id = $1 AND seq = $2`, [
          place.user_id,
          place.seq,
        ]);
        touched.set(column, place.user_id);
      }
      const { findings } = await verify();
      const found = new Set(findings.map(({ userId }) => userId));
      expect([...touched].filter(([, user]) => !found.has(user))).toEqual([]);
      const untouched = USERS.filter((user) => ![...touched.values()].includes(user));
      expect(untouched.filter((user) => found.has(user))).toEqual([]);
    });

    /** A random row with a value in the column, of a user whose chain has not been tampered with yet. */
    async function chooseRow(column: string, seed: string, touched: readonly string[]) {
      const value = { batch_id: 'batch_id IS NULL', content: `content <> ''` }[column] ?? `${column} IS NOT NULL`;
      const [place] = await fixture.queryAsSuperuser<{ user_id: string; seq: string }>(
        `SELECT user_id, seq FROM original WHERE ${value} AND NOT user_id = ANY ($1) ORDER BY md5(id || $2) LIMIT 1`,
        [touched, seed],
      );
      return place!;
    }

    it('detects a deleted row at any position', async () => {
      for (const [index, user] of USERS.entries()) {
        const place = ['seq = 1', 'seq = (SELECT max(seq) FROM original WHERE user_id = $1)', 'seq = 5'][index % 3]!;
        await fixture.queryAsSuperuser(`DELETE FROM history WHERE user_id = $1 AND ${place}`, [user]);
      }
      const { findings } = await verify();
      expect(new Set(findings.map(({ userId }) => userId))).toEqual(new Set(USERS));
    });

    it('detects two swapped rows', async () => {
      for (const user of USERS) {
        for (const [from, to] of [
          [2, 1_000_000],
          [3, 2],
          [1_000_000, 3],
        ]) {
          await fixture.queryAsSuperuser('UPDATE history SET seq = $3 WHERE user_id = $1 AND seq = $2', [
            user,
            from,
            to,
          ]);
        }
      }
      const { findings } = await verify();
      expect(new Set(findings.map(({ userId }) => userId))).toEqual(new Set(USERS));
    });

    it('detects a row that was moved to another tenant', async () => {
      const other = await fixture.addTenant();
      await fixture.queryAsSuperuser('UPDATE history SET tenant_id = $1 WHERE user_id = $2 AND seq = 3', [
        other,
        USERS[0],
      ]);
      const { findings } = await verify();
      expect(new Set(findings.map(({ userId }) => userId))).toEqual(new Set([USERS[0]]));
      const elsewhere: AuditFinding[] = [];
      await verifyAudit(fixture.database, { tenantId: other, keys: [KEY], report: (found) => elsewhere.push(found) });
      expect(elsewhere.map(({ fault }) => fault)).toEqual(expect.arrayContaining(['gap', 'unknown_user']));
    });
  });
});
