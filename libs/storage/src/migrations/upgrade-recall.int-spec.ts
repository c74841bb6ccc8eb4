import { installEarlierRelease } from '../fixtures/earlier-release.fixture.js';
import { RecallFixture, vectorOf } from '../fixtures/recall.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';
import { findUnindexed } from '../lexical/find-unindexed.js';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

const METERED = 2;
const AT = new Date('2026-01-05T08:00:00Z');

describe('what was remembered before there was an index', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;

  beforeAll(async () => {
    fixture = await StorageFixture.open();
    await installEarlierRelease(fixture, METERED);
    recall = new RecallFixture(fixture, await fixture.addTenant());
    await writeAsBefore();
    expect(await migrate(fixture.testDatabase.admin)).toEqual(
      MIGRATIONS.slice(METERED).map((migration) => migration.name),
    );
  });
  afterAll(() => fixture.close());

  /** Two memories with vector and terms, one of them superseded, and three messages: in a done and in an open batch. */
  async function writeAsBefore(): Promise<void> {
    const { tenantId: tenant } = recall;
    const [conversation, done, open] = [fixture.ids.next(), fixture.ids.next(), fixture.ids.next()];
    await fixture.queryAsSuperuser(
      `INSERT INTO users (tenant_id, user_id, created_at, memory_count, term_total) VALUES ($1, 'ada', $2, 1, 4)`,
      [tenant, AT],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO conversations (tenant_id, id, user_id, thread_id, message_count, created_at, updated_at)
       VALUES ($1, $2, 'ada', 't', 3, $3, $3)`,
      [tenant, conversation, AT],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO batches (tenant_id, id, conversation_id, user_id, state, message_count, sealed_at, accepted_at)
       SELECT $1, r.id, $2, 'ada', r.state, 1, r.sealed_at, $3
         FROM unnest($4::uuid[], $5::text[], $6::timestamptz[]) AS r (id, state, sealed_at)`,
      [tenant, conversation, AT, [done, open], ['done', 'queued'], [AT, null]],
    );
    await fixture.queryAsSuperuser(
      `INSERT INTO messages (tenant_id, id, conversation_id, batch_id, seq, role, content, said_at, received_at)
       SELECT $1, gen_random_uuid(), $2, r.batch_id, r.seq - 1, 'user', r.content, $3, $3
         FROM unnest($4::uuid[], $5::text[]) WITH ORDINALITY AS r (batch_id, content, seq)`,
      [tenant, conversation, AT, [done, done, open], ['Where is my parrot?', 'In the kitchen', 'It ate my tea']],
    );
    for (const [content, end] of [
      ['Ana likes green tea', null],
      ['Ana likes black tea', AT],
    ] as const) {
      const id = fixture.ids.next();
      await fixture.queryAsSuperuser(
        `INSERT INTO memories (tenant_id, id, user_id, category, type, content, normalized_hash, hash_version, state,
           origin, importance, confidence, term_count, valid_from, valid_to, closed_at, recorded_at, updated_at)
         VALUES ($1, $2, 'ada', 'preferences', 'semantic', $3, $3, 'v1', 'active', 'manual', 3, 0.8, 4, $4, $5, $5, $4, $4)`,
        [tenant, id, content, new Date(AT.getTime() - 1_000), end],
      );
      await fixture.queryAsSuperuser(
        `INSERT INTO memory_embeddings (tenant_id, user_id, model, memory_id, content_hash, embedding)
         VALUES ($1, 'ada', 'axes', $2, $3, $4)`,
        [tenant, id, Buffer.from(content), JSON.stringify([...vectorOf(content)])],
      );
      await fixture.queryAsSuperuser(
        `INSERT INTO memory_terms (tenant_id, user_id, term, memory_id, tf) VALUES ($1, 'ada', 'tea', $2, 1)`,
        [tenant, id],
      );
    }
  }

  const QUESTIONS: [string, string[]][] = [
    ['green tea', ['Ana likes green tea', 'It ate my tea']],
    ['parrot', ['In the kitchen', 'It ate my tea', 'Where is my parrot?']],
  ];

  // In order: the index is made by the second.
  it.each(QUESTIONS)('is found at once: %s', async (question, contents) => {
    const found = await recall.find('ada', question);
    expect(found.isUnindexed).toBe(true);
    expect(found.candidates.map(({ content }) => content)).toEqual(expect.arrayContaining(contents));
  });

  it('is named as to be indexed, and indexed', async () => {
    const now = fixture.clock.now();
    const find = () => findUnindexed(fixture.database, { limit: 10, now });
    expect(await find()).toEqual([{ tenantId: recall.tenantId, userId: 'ada', batchId: null }]);
    expect(await recall.reindexPage('ada')).toMatchObject({ state: 'finished' });
    // The batch is one like any other that no worker indexed.
    const [gap] = await find();
    expect(gap).toMatchObject({ userId: 'ada', batchId: expect.any(String) });
    expect(await recall.index(gap!.batchId!)).toBe('indexed');
    expect(await find()).toEqual([]);
    const [user] = await fixture.queryAsSuperuser('SELECT memory_count, turn_count, next_unit FROM users');
    expect(user).toEqual({ memory_count: 1, turn_count: 2, next_unit: 4 });
  });

  it.each(QUESTIONS)('is found by the index: %s', async (question, contents) => {
    const found = await recall.find('ada', question);
    expect(found.isUnindexed).toBe(false);
    expect(found.candidates.map(({ content }) => content)).toEqual(expect.arrayContaining(contents));
  });

  it('is found by its vectors, and as of any time', async () => {
    const nearest = await recall.candidates('ada', '', { queryVector: vectorOf('tea') });
    expect(nearest).toMatchObject([{ content: 'Ana likes green tea', cosine: expect.closeTo(1) }]);
    const then = await recall.contents('ada', 'black tea', { asOf: '2026-01-05T07:59:59.500Z', types: ['semantic'] });
    expect(then).toEqual(['Ana likes black tea', 'Ana likes green tea']);
  });

  it('is written on', async () => {
    await recall.remember('ada', 'Ana likes the parrot');
    expect(await recall.contents('ada', 'parrot')).toContain('Ana likes the parrot');
  });
});
