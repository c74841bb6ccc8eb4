import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';

const RELATED_BY_TYPE = 5;
const AT = '2026-01-05T08:00:00.000Z';

describe('relations of an earlier release', () => {
  let fixture: StorageFixture;
  const tenants: string[] = [];
  /** Two memories of each tenant. */
  const memories: [string, string][] = [];

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, RELATED_BY_TYPE);
    for (let n = 0; n < 2; n += 1) {
      const tenantId = await fixture.addTenant();
      tenants.push(tenantId);
      await fixture.queryAsSuperuser(`INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, 'ada', $2)`, [
        tenantId,
        AT,
      ]);
      const [from, to] = [await addMemory(tenantId), await addMemory(tenantId)];
      memories.push([from, to]);
      await relate(tenantId, from, to, 'caused_by', 0.4);
      await relate(tenantId, from, to, 'related_to', 0.7);
      await relate(tenantId, from, to, 'follows', 0.7);
      await relate(tenantId, to, from, 'related_to', 0.2);
    }
    await migrate(fixture.testDatabase.admin);
  });
  afterAll(() => fixture?.close());

  async function addMemory(tenantId: string): Promise<string> {
    const id = fixture.ids.next();
    await fixture.queryAsSuperuser(
      `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
         importance, confidence, valid_from, recorded_at, updated_at)
       VALUES ($1, $2::uuid, 'ada', 'profile', 'semantic', 'x', $2::text, 'v1', 'active', 'manual', 3, 0.8, $3, $3, $3)`,
      [tenantId, id, AT],
    );
    return id;
  }

  function relate(tenantId: string, from: string, to: string, type: string, strength: number) {
    return fixture.queryAsSuperuser(
      `INSERT INTO relations (tenant_id, id, user_id, from_id, to_id, relation_type, strength, created_at)
       VALUES ($1, $2, 'ada', $3, $4, $5, $6, $7)`,
      [tenantId, fixture.ids.next(), from, to, type, strength, AT],
    );
  }

  const readRelations = async (tenantId: string) => {
    const rows = await fixture.queryAsSuperuser<{ from_id: string; relation_type: string; strength: number }>(
      'SELECT from_id, relation_type, strength FROM relations WHERE tenant_id = $1 ORDER BY strength',
      [tenantId],
    );
    return rows.map(({ from_id, relation_type, strength }) => [from_id, relation_type, Number(strength.toFixed(1))]);
  };

  it('are joined to one for each direction, of every tenant: the strongest, and of these the first', async () => {
    for (const [n, tenantId] of tenants.entries()) {
      const [from, to] = memories[n]!;
      expect(await readRelations(tenantId)).toEqual([
        [to, 'related_to', 0.2],
        [from, 'related_to', 0.7],
      ]);
    }
  });

  it('can be inserted by processes of that release that still run, each pair once', async () => {
    const tenantId = tenants[0]!;
    const [from, to] = [await addMemory(tenantId), await addMemory(tenantId)];
    const rows = ['caused_by', 'related_to'].map((relation_type) => {
      return { id: fixture.ids.next(), from_id: from, to_id: to, relation_type, strength: 0.5 };
    });
    await fixture.inTenant(tenantId, (tx) =>
      tx.execute(
        `INSERT INTO relations (id, user_id, from_id, to_id, relation_type, strength, created_at)
         SELECT r.id, 'ada', r.from_id, r.to_id, r.relation_type, r.strength, $2
           FROM json_to_recordset($1) AS r (id uuid, from_id uuid, to_id uuid, relation_type text, strength real)`,
        [JSON.stringify(rows), AT],
      ),
    );
    expect((await readRelations(tenantId)).filter(([id]) => id === from)).toEqual([[from, 'caused_by', 0.5]]);
  });

  it('are unique by both ends, whoever writes', async () => {
    const [constraint] = await fixture.queryAsSuperuser<{ definition: string }>(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
        WHERE conrelid = 'relations'::regclass AND contype = 'u'`,
    );
    expect(constraint!.definition).toBe('UNIQUE (tenant_id, from_id, to_id)');
  });
});
