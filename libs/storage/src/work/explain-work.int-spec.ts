import { StorageFixture } from '../fixtures/storage.fixture.js';
import { addWaitingWork } from '../fixtures/waiting-rows.fixture.js';
import { isOperatorKeyValid } from '../keys/operator-key.js';
import { ensureOperatorKey, hashApiKey } from '../keys/ensure-key.js';
import { findApiKey } from '../keys/api-keys.js';
import { explainWork } from './explain-work.js';

describe('what the queue UI asks across tenants', () => {
  let fixture: StorageFixture;
  beforeAll(async () => {
    fixture = await StorageFixture.open();
  });
  afterAll(() => fixture.close());

  it('counts why work waits and has failed, by kind, over all tenants, batches included', async () => {
    expect(await explainWork(fixture.database)).toEqual([]);
    for (const tenant of [await fixture.addTenant(), await fixture.addTenant()]) {
      await addWaitingWork(fixture, tenant, 4);
      await fixture.queryAsSuperuser(
        `WITH made AS (SELECT id, row_number() OVER () AS n FROM batches WHERE tenant_id = $1)
         UPDATE batches b SET state = CASE n WHEN 1 THEN 'queued' WHEN 2 THEN 'deferred' ELSE 'failed' END,
                deferred_reason = CASE n WHEN 2 THEN 'circuit_open' END,
                error_code = CASE n WHEN 3 THEN 'timeout' WHEN 4 THEN 'invalid_request' END,
                extracted_at = CASE n WHEN 4 THEN now() END
           FROM made m WHERE b.tenant_id = $1 AND b.id = m.id`,
        [tenant],
      );
      await fixture.queryAsSuperuser(
        `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, created_at, deferred_reason,
                           failed_at, failure_code)
         SELECT $1, gen_random_uuid(), r.kind, gen_random_uuid(), 1, now(), now(), now(), r.reason,
                CASE WHEN r.code IS NULL THEN NULL ELSE now() END, r.code
           FROM (VALUES ('insights', 'energy', NULL), ('insights', 'energy', NULL), ('insights', 'not_due', NULL),
                        ('vectors', NULL, 'authentication'), ('summary', NULL, NULL)) AS r (kind, reason, code)`,
        [tenant],
      );
    }
    expect(await explainWork(fixture.database)).toEqual([
      { kind: 'extraction', state: 'deferred', code: 'circuit_open', rows: 2 },
      { kind: 'extraction', state: 'failed', code: 'timeout', rows: 2 },
      { kind: 'insights', state: 'deferred', code: 'energy', rows: 4 },
      { kind: 'insights', state: 'deferred', code: 'not_due', rows: 2 },
      { kind: 'persistence', state: 'failed', code: 'invalid_request', rows: 2 },
      { kind: 'vectors', state: 'failed', code: 'authentication', rows: 2 },
    ]);
  });

  it('knows whether a key is an operator’s, by its id', async () => {
    const now = fixture.clock.now();
    const isValid = (keyId: string, tenantId: string | null = null) =>
      isOperatorKeyValid(fixture.database, { keyId, tenantId }, now);
    const text = 'ann_an-operator-of-this-installation';
    await ensureOperatorKey(fixture.testDatabase.admin, { text, now, ids: fixture.ids });
    const { keyId } = (await findApiKey(fixture.database, hashApiKey(text)))!;
    const tenantId = await fixture.addTenant();
    expect([await isValid(keyId), await isValid(keyId, tenantId), await isValid(fixture.ids.next())]).toEqual([
      true,
      false,
      false,
    ]);
    await fixture.queryAsSuperuser('UPDATE operator_keys SET revoked_at = now() WHERE id = $1', [keyId]);
    expect(await isValid(keyId)).toBe(false);

    const addKey = async (operator: boolean, expiresAt: number | null) => {
      const [row] = await fixture.queryAsSuperuser<{ id: string }>(
        `INSERT INTO api_keys (tenant_id, id, name, key_hash, prefix, scopes, operator, created_at, expires_at)
         VALUES ($1, gen_random_uuid(), 'x', decode(md5(random()::text), 'hex'), 'ann_', '{}', $2, now(), $3)
         RETURNING id`,
        [tenantId, operator, expiresAt === null ? null : new Date(expiresAt)],
      );
      return row!.id;
    };
    const keys = [
      await addKey(true, null),
      await addKey(true, now + 1),
      await addKey(true, now),
      await addKey(false, null),
    ];
    expect(await Promise.all(keys.map((id) => isValid(id, tenantId)))).toEqual([true, true, false, false]);
    expect(await isValid(keys[0]!)).toBe(false);
  });
});
