import {
  type AdminQuery,
  type AnnalsSystem,
  ApiClient,
  type Expectations,
  factContent,
  findBrokenInvariants,
  makePost,
  startSystem,
  waitUntilDone,
} from '@annals/testing';

/** For each rule, damage as a fault could cause it, which the rule has to detect. */
const DAMAGES: Record<string, string> = {
  'every accepted batch is done': `UPDATE batches SET state = 'failed'`,
  'no batch is left unfinished': `UPDATE batches SET state = 'persisting'`,
  'no work is left in the outbox': `INSERT INTO work (tenant_id, id, kind, subject_id, generation, available_at, rank_at, created_at)
    SELECT tenant_id, id, 'persistence', id, 1, now(), now(), now() FROM batches`,
  'every message belongs to a batch that counts it': `DELETE FROM messages WHERE seq = 0`,
  'no memory is missing, and none is unexpected': `DELETE FROM memories WHERE content = '${factContent(1)}'`,
  'no statement is in two rows': `DROP INDEX memories_one_current;
    CREATE TEMP TABLE twin ON COMMIT DROP AS SELECT * FROM memories LIMIT 1;
    UPDATE twin SET id = gen_random_uuid();
    INSERT INTO memories SELECT * FROM twin`,
  'every memory was added once': `DELETE FROM history WHERE seq = 1`,
  'history has as many rows as the batches report writes': `UPDATE batches SET inserted = inserted + 1`,
  'every extracted memory has a source whose quote is in the message': `UPDATE memory_sources SET quote = 'never said'`,
  'every current memory has one vector and index terms': `DELETE FROM lexical_units`,
  'every turn of a batch that is done is in the index': `DELETE FROM lexical_units WHERE message_id IS NOT NULL`,
  'every new memory is in the change log of its threads': `DELETE FROM change_log`,
  'every audit chain verifies': `UPDATE history SET actor = 'somebody else' WHERE seq = 2`,
};

describe('the invariants that fault tests rely on', () => {
  let system: AnnalsSystem;
  let undamaged: Record<string, unknown[]>;
  const noticed = new Map<string, string[]>();

  beforeAll(async () => {
    system = await startSystem();
    const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    const body = { ...makePost([1, 2, 3], { userId: 'ada', threadId: 't' }), flush: true };
    const { batch_ids: batchIds } = await client.must('postConversation', { body });
    await waitUntilDone(client, batchIds, { explain: () => system.lastLines });
    const expected = { batchIds, contents: new Map([['ada', new Set([1, 2, 3].map(factContent))]]) };
    await system.inspect(async (query) => {
      undamaged = await findBrokenInvariants(query, expected);
      for (const [rule, damage] of Object.entries(DAMAGES))
        noticed.set(rule, await applyDamage(query, damage, expected));
    });
  });
  afterAll(() => system?.close());

  it('hold for a run without faults', () => {
    expect(undamaged).toEqual({});
  });

  it.each(Object.keys(DAMAGES))('detect a violation of "%s"', (rule) => {
    expect(noticed.get(rule)).toContain(rule);
  });
});

/** The rules that a damage violates; the damage is rolled back. */
async function applyDamage(query: AdminQuery, damage: string, expected: Expectations): Promise<string[]> {
  await query('BEGIN');
  try {
    await query(`SET LOCAL session_replication_role = 'replica'`);
    await query(damage);
    return Object.keys(await findBrokenInvariants(query, expected));
  } finally {
    await query('ROLLBACK');
  }
}
