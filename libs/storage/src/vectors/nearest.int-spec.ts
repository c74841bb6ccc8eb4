import { SeededRng } from '@annals/domain';
import { Binder } from '../query/binder.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { insertEmbeddings } from '../memories/embeddings.js';
import { cosineOfSql, cosinesSql, nearestAndFirstPassSql, nearestSql } from './nearest.js';
import { scanFrom, scanFromEach } from './vector-scan.js';

const MEMORIES = 1_000;
const QUESTIONS = 25;
const LIMIT = 10;
const USER = 'ada';
const ANY = `m.state = 'active'`;

interface Found {
  readonly memory_id: string;
  readonly cosine: number;
}

const rng = new SeededRng(5);

/** Normally distributed (Box and Muller 1958). */
function sampleNormal(): number {
  return Math.sqrt(-2 * Math.log(1 - rng.nextFloat())) * Math.cos(2 * Math.PI * rng.nextFloat());
}
const sampleUnitVector = (dimensions: number) => Float32Array.from({ length: dimensions }, () => sampleNormal());

/**
 * Distributions of vectors: random ones, all about equally far; thirty clusters; and hashed words, some frequent and
 * some rare.
 */
const KINDS: Record<string, (dimensions: number) => () => Float32Array> = {
  random: (dimensions) => () => sampleUnitVector(dimensions),
  clustered: (dimensions) => {
    const centers = Array.from({ length: 30 }, () => sampleUnitVector(dimensions));
    return () => {
      const center = centers[Math.floor(rng.nextFloat() * centers.length)]!;
      return sampleUnitVector(dimensions).map((value, index) => center[index]! + value * 0.5);
    };
  },
  hashed: (dimensions) => {
    const words = Array.from({ length: 3_000 }, () => Math.floor(rng.nextFloat() * dimensions));
    return () => {
      const vector = new Float32Array(dimensions);
      for (let count = 0; count < 12; count += 1) {
        const word = Math.floor(words.length * rng.nextFloat() ** 2);
        vector[words[word]!]! += word % 2 === 0 ? 1 : -1;
      }
      return vector;
    };
  },
};

function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let index = 0; index < a.length; index += 1) {
    product += a[index]! * b[index]!;
    squaresA += a[index]! ** 2;
    squaresB += b[index]! ** 2;
  }
  return product / Math.sqrt(squaresA * squaresB);
}

describe('nearest vectors of a user', () => {
  let fixture: StorageFixture;
  let tenant: string;
  const memories: string[] = [];

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    tenant = await fixture.addTenant();
    memories.push(...(await addMemories(tenant, USER, MEMORIES)));
  });
  afterAll(() => fixture?.close());

  async function addMemories(owner: string, user: string, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => fixture.ids.next());
    await fixture.queryAsSuperuser('INSERT INTO users (tenant_id, user_id, created_at) VALUES ($1, $2, now())', [
      owner,
      user,
    ]);
    // One in a hundred is pinned.
    await fixture.queryAsSuperuser(
      `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state, origin,
         importance, confidence, pinned, cost_micro_usd, revision, term_count, valid_from, recorded_at, updated_at)
       SELECT $1, r.id, $2, 'profile', 'semantic', r.id::text, r.id::text, 1, 'active', 'manual', 3, 0.8, r.n % 100 = 1, 0, 1, 0,
              now(), now(), now()
         FROM unnest($3::uuid[]) WITH ORDINALITY AS r (id, n)`,
      [owner, user, ids],
    );
    return ids;
  }

  async function addVectors(owner: string, user: string, model: string, vectors: ReadonlyMap<string, Float32Array>) {
    const rows = [...vectors].map(([memoryId, vector]) => ({
      memoryId,
      model,
      contentHash: Buffer.from(memoryId),
      vector,
    }));
    await fixture.inTenant(owner, async (tx) => {
      for (let from = 0; from < rows.length; from += 250)
        await insertEmbeddings(tx, user, rows.slice(from, from + 250));
    });
  }

  async function find(model: string, vector: Float32Array, conditions = ANY, limit = LIMIT): Promise<Found[]> {
    const { bind, values } = new Binder();
    const sql = nearestSql(scanFrom({ userId: USER, model, vector }, bind), { limit, conditions });
    return fixture.inTenant(tenant, (tx) => tx.query<Found>(sql, values));
  }

  for (const dimensions of [384, 1_536]) {
    for (const [kind, open] of Object.entries(KINDS)) {
      it(`finds 99 % of the true ones among ${kind} vectors of ${dimensions} dimensions`, async () => {
        const model = `${kind}-${dimensions}`;
        const sampleVector = open(dimensions);
        const vectors = new Map(memories.map((id) => [id, sampleVector()]));
        await addVectors(tenant, USER, model, vectors);
        let right = 0;
        for (let question = 0; question < QUESTIONS; question += 1) {
          const vector = sampleVector();
          const exact = [...vectors.values()].map((other) => cosine(other, vector)).toSorted((a, b) => b - a);
          const found = await find(model, vector);
          expect(found).toHaveLength(LIMIT);
          for (const { memory_id: id, cosine: actual } of found) {
            const truth = cosine(vectors.get(id)!, vector);
            expect(actual).toBeCloseTo(truth, 3);
            // Vectors with equal cosines are interchangeable.
            if (truth >= exact[LIMIT - 1]! - 1e-9) right += 1;
          }
        }
        expect(right / (QUESTIONS * LIMIT)).toBeGreaterThanOrEqual(0.99);
      });
    }
  }

  describe('under a filter', () => {
    const model = 'filtered-8';
    const vectors = new Map<string, Float32Array>();

    beforeAll(async () => {
      memories.forEach((id) => vectors.set(id, sampleUnitVector(8)));
      await addVectors(tenant, USER, model, vectors);
    });

    const nearestOf = (ids: readonly string[], vector: Float32Array) =>
      ids.toSorted((a, b) => cosine(vectors.get(b)!, vector) - cosine(vectors.get(a)!, vector));

    it('returns all matching vectors in order when there are fewer than the limit', async () => {
      const vector = sampleUnitVector(8);
      const pinned = memories.filter((_, index) => index % 100 === 0);
      const found = await find(model, vector, 'm.pinned', 50);
      expect(found.map(({ memory_id: id }) => id)).toEqual(nearestOf(pinned, vector));
    });

    it('returns the best that pass, however far behind those that do not', async () => {
      const vector = sampleUnitVector(8);
      const order = nearestOf(memories, vector);
      const far = order.slice(-30);
      const found = await find(model, vector, `m.id IN (${far.map((id) => `'${id}'`).join(', ')})`, 3);
      expect(found.map(({ memory_id: id }) => id)).toEqual(far.slice(0, 3));
    });

    it('also returns the cosines of the others that were tried first', async () => {
      const vector = sampleUnitVector(8);
      const { bind, values } = new Binder();
      const sql = nearestAndFirstPassSql(scanFrom({ userId: USER, model, vector }, bind), {
        limit: 5,
        conditions: 'm.pinned',
      });
      const rows = await fixture.inTenant(tenant, (tx) => tx.query<Found & { passes: boolean }>(sql, values));
      const pinned = memories.filter((_, index) => index % 100 === 0);
      const idsOf = (passes: boolean) => rows.filter((row) => row.passes === passes).map((row) => row.memory_id);
      expect(idsOf(true)).toEqual(nearestOf(pinned, vector).slice(0, 5));
      expect(idsOf(false)).toEqual(nearestOf(memories, vector).slice(0, 20));
    });

    it('returns for many points in one statement the same as for each alone', async () => {
      const points = Array.from({ length: 4 }, () => sampleUnitVector(8));
      const { bind, values } = new Binder();
      const { points: from, scan } = scanFromEach({ userId: USER, model, vectors: points }, bind, 'p');
      const nearest = nearestSql(scan, { limit: 3, conditions: ANY });
      const rows = await fixture.inTenant(tenant, (tx) =>
        tx.query<Found & { ordinal: string }>(
          `SELECT p.ordinal, n.memory_id, n.cosine FROM ${from} CROSS JOIN LATERAL (${nearest}) n
            ORDER BY p.ordinal, n.cosine DESC`,
          values,
        ),
      );
      for (const [index, point] of points.entries()) {
        const own = rows.filter(({ ordinal }) => Number(ordinal) === index + 1);
        const alone = await find(model, point, ANY, 3);
        expect(own.map(({ memory_id: id }) => id)).toEqual(alone.map(({ memory_id: id }) => id));
      }
    });

    it('returns the cosine of one memory, and null for one without a vector', async () => {
      const vector = sampleUnitVector(8);
      const of = async (scanned: string, id: string) => {
        const { bind, values } = new Binder();
        const sql = cosineOfSql(scanFrom({ userId: USER, model: scanned, vector }, bind), `${bind(id)}::uuid`);
        const [row] = await fixture.inTenant(tenant, (tx) =>
          tx.query<{ near: number | null }>(`SELECT ${sql} AS near`, values),
        );
        return row!.near;
      };
      expect(await of(model, memories[7]!)).toBeCloseTo(cosine(vectors.get(memories[7]!)!, vector), 3);
      expect(await of('unknown-8', memories[7]!)).toBeNull();
    });
  });

  it('excludes vectors of other users, models and tenants', async () => {
    const model = 'axes-2';
    const other = await fixture.addTenant();
    const axis = Float32Array.from([1, 0]);
    const [own, ofBen, elsewhere] = [
      memories[0]!,
      (await addMemories(tenant, 'ben', 1))[0]!,
      (await addMemories(other, USER, 1))[0]!,
    ];
    await addVectors(tenant, USER, model, new Map([[own, axis]]));
    await addVectors(tenant, USER, 'other-2', new Map([[memories[1]!, axis]]));
    await addVectors(tenant, 'ben', model, new Map([[ofBen, axis]]));
    await addVectors(other, USER, model, new Map([[elsewhere, axis]]));
    const { bind, values } = new Binder();
    const sql = cosinesSql(scanFrom({ userId: USER, model, vector: axis }, bind));
    expect(await fixture.inTenant(tenant, (tx) => tx.query(sql, values))).toEqual([{ memory_id: own, cosine: 1 }]);
  });

  it('stores long vectors under the longest user id', async () => {
    const user = '語'.repeat(200);
    const [id] = await addMemories(tenant, user, 1);
    const vector = sampleUnitVector(1_024);
    await addVectors(tenant, user, 'long-1024', new Map([[id!, vector]]));
    const { bind, values } = new Binder();
    const sql = cosinesSql(scanFrom({ userId: user, model: 'long-1024', vector }, bind));
    const [row] = await fixture.inTenant(tenant, (tx) => tx.query<Found>(sql, values));
    expect(row!.cosine).toBeCloseTo(1, 3);
  });

  it('runs an index-only scan after a vacuum', async () => {
    await fixture.queryAsSuperuser('VACUUM ANALYZE memory_embeddings');
    const { bind, values } = new Binder();
    const sql = nearestSql(scanFrom({ userId: USER, model: 'random-384', vector: sampleUnitVector(384) }, bind), {
      limit: LIMIT,
      conditions: ANY,
    });
    const plan = await fixture.inTenant(tenant, (tx) => tx.query(`EXPLAIN (ANALYZE) ${sql}`, values));
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toContain('Index Only Scan using memory_embeddings_by_user');
    expect(text).toContain('Heap Fetches: 0');
  });
});
