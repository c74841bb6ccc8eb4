import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { loadCachedEmbeddings } from '../memories/embeddings.js';
import { migrate } from '../migrate.js';
import { Binder } from '../query/binder.js';
import { cosinesSql } from './nearest.js';
import { scanFrom } from './vector-scan.js';

const METERED = 2;
const AT = new Date('2026-01-05T08:00:00Z');
const LONG_USER = '語'.repeat(200);

describe('vectors of an earlier release', () => {
  let fixture: StorageFixture;
  let tenant: string;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, METERED);
    tenant = await fixture.addTenant();
    for (const [user, dimensions] of [
      ['ada', 3],
      ['ada', 1_024],
      ['ada', 1_536],
      [LONG_USER, 1_024],
    ] as const) {
      await writeAsBefore(user, dimensions);
    }
    await migrate(fixture.testDatabase.admin);
  });
  afterAll(() => fixture?.close());

  const vectorOf = (dimensions: number) => Float32Array.from({ length: dimensions }, (_, index) => (index % 5) - 2);

  /** A memory with a vector that is not at unit length, as a provider may have returned it. */
  async function writeAsBefore(user: string, dimensions: number): Promise<void> {
    const id = fixture.ids.next();
    await fixture.queryAsSuperuser(
      'INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [tenant, user, AT],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
         importance, confidence, valid_from, recorded_at, updated_at)
       VALUES ($1, $2::uuid, $3, 'profile', 'semantic', 'x', $2::text, 'v1', 'active', 'manual', 3, 0.8, $4, $4, $4)`,
      [tenant, id, user, AT],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO memory_embeddings (tenant_id, user_id, model, memory_id, content_hash, embedding)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [tenant, user, `m-${dimensions}`, id, Buffer.from(`${dimensions}`), JSON.stringify([...vectorOf(dimensions)])],
    );
  }

  it.each([
    { who: 'ada', user: 'ada', dimensions: 3 },
    { who: 'ada', user: 'ada', dimensions: 1_024 },
    { who: 'ada', user: 'ada', dimensions: 1_536 },
    { who: 'one with a long id', user: LONG_USER, dimensions: 1_024 },
  ])('are found like new ones: of $who, $dimensions dimensions', async ({ user, dimensions }) => {
    const { bind, values } = new Binder();
    const vector = vectorOf(dimensions);
    const sql = cosinesSql(scanFrom({ userId: user, model: `m-${dimensions}`, vector }, bind));
    const rows = await fixture.inTenant(tenant, (tx) => tx.query<{ cosine: number }>(sql, values));
    expect(rows).toHaveLength(1);
    expect(rows[0]!.cosine).toBeCloseTo(1, 3);
  });

  it('are found by their content hash, so that nothing is paid for twice', async () => {
    const cached = await fixture.inTenant(tenant, (tx) => loadCachedEmbeddings(tx, 'm-1536', [Buffer.from('1536')]));
    const vector = cached.get(Buffer.from('1536').toString('hex'))!;
    expect(vector).toHaveLength(1_536);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
  });

  it('are stored in the table’s pages, not outside', async () => {
    const [row] = await fixture.queryAsSuperuser<{ bytes: string }>(
      `SELECT pg_relation_size(reltoastrelid) AS bytes FROM pg_class WHERE oid = 'memory_embeddings'::regclass`,
    );
    expect(row!.bytes).toBe('0');
  });
});
