import { newMemory } from '@annals/testing';
import { loadBatchConversation } from '../batches/load-batch-conversation.js';
import { persistBatch } from '../fixtures/persist-batch.fixture.js';
import { buildMessages, post } from '../fixtures/post.fixture.js';
import { StorageFixture } from '../fixtures/storage.fixture.js';

const USERS = 300;
const FACTS = 4;
/** Far below the rows of a table, and well above what one batch needs of it. */
const MAX_READS = (USERS * FACTS) / 4;
const TABLES = ['change_log', 'memories', 'memory_sources'] as const;
type Reads = Readonly<Record<(typeof TABLES)[number], number>>;

describe('a batch in a tenant with many memories', () => {
  let fixture: StorageFixture;
  let tenantId: string;
  let users = 0;

  beforeAll(async () => {
    // One connection, so that its statistics can be flushed.
    fixture = await StorageFixture.open({ poolSize: 1, prepared: true });
    tenantId = await fixture.addTenant();
    for (let n = 0; n < USERS; n++) await addUser();
    // As autovacuum does; it also ends the plans that were made while the tables were empty.
    await fixture.queryAsSuperuser('VACUUM ANALYZE');
    await fixture.queryAsSuperuser('SELECT pg_stat_force_next_flush()');
  });
  afterAll(() => fixture.close());

  /** A user with a batch of four messages and a memory of each. Returns the batch. */
  const addUser = async (): Promise<string> => {
    const userId = `user-${(users += 1)}`;
    const messages = buildMessages(FACTS, users * FACTS);
    const { batchIds } = await post(fixture, tenantId, { userId, messages, flush: true });
    const batchId = batchIds[0]!;
    const loaded = await fixture.inTenant(tenantId, (tx) =>
      loadBatchConversation(tx, batchId, { contextMessages: 10 }),
    );
    const changes = loaded.messages.map(({ id, content }) => {
      const sources = [{ messageId: id, quote: content }];
      return {
        kind: 'observe',
        memory: newMemory(`${userId} said ${content}`, fixture.clock.now(), { sources }),
      } as const;
    });
    await persistBatch(fixture, tenantId, { userId, batchId, answer: '{}', changes });
    return batchId;
  };

  /** Rows and index entries of each table read so far, as PostgreSQL counts them. */
  const countReads = async (): Promise<Reads> => {
    await fixture.inTenant(tenantId, (tx) => tx.query('SELECT pg_stat_force_next_flush()'));
    const rows = await fixture.queryAsSuperuser<{ relname: string; reads: string }>(
      `SELECT t.relname, t.seq_tup_read + (SELECT coalesce(sum(i.idx_tup_read), 0) FROM pg_stat_user_indexes i
                                            WHERE i.relid = t.relid) AS reads
         FROM pg_stat_user_tables t WHERE t.schemaname = 'annals'`,
    );
    const reads = new Map(rows.map((row) => [row.relname, Number(row.reads)]));
    return Object.fromEntries(TABLES.map((table) => [table, reads.get(table)!])) as Reads;
  };
  const measure = async (work: () => Promise<unknown>): Promise<Reads> => {
    const before = await countReads();
    await work();
    const after = await countReads();
    return Object.fromEntries(TABLES.map((table) => [table, after[table] - before[table]])) as Reads;
  };

  it('is loaded and written without reading what other users have', async () => {
    const whole = await measure(() =>
      fixture.inTenant(tenantId, async (tx) => {
        for (const table of TABLES) await tx.query(`SELECT count(*) FROM ${table}`);
      }),
    );
    for (const table of TABLES) expect(whole[table]).toBeGreaterThanOrEqual(USERS * FACTS);

    const reads = await measure(addUser);
    const tooMany = TABLES.filter((table) => reads[table] > MAX_READS);
    expect(tooMany.map((table) => `${table}: ${reads[table]}`)).toEqual([]);
  });
});
