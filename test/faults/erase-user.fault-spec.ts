import { SeededRng } from '@annals/domain';
import { type AuditFinding, verifyHistory } from '@annals/storage';
import {
  ApiClient,
  asTenant,
  type DistributedSystem,
  findTablesContaining,
  mapConcurrently,
  sized,
  startOnServices,
  TEST_SEED,
  waitUntil,
  waitUntilDone,
} from '@annals/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportFigure } from './report.js';

const ROUNDS = sized(3, 6);
const POSTS = 40;

describe('a user who is erased during their own load', () => {
  let system: DistributedSystem;
  let client: ApiClient;
  const explain = () => system.lastLines;
  beforeAll(async () => {
    system = await startOnServices({ gateways: 2, extractions: sized(1, 2), persistences: sized(1, 2) });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  });
  afterAll(() => system?.close());

  const talk = async (userId: string, word: string, count: number) => {
    const posts = Array.from({ length: count }, (_, turn) => ({
      user_id: userId,
      thread_id: `${userId}-${turn % 8}`,
      flush: true,
      messages: [{ role: 'user' as const, content: `I collect ${word} stones of kind ${turn}.` }],
    }));
    const accepted = await mapConcurrently(posts, (body) => client.must('postConversation', { body }));
    return accepted.flatMap(({ batch_ids }) => batch_ids);
  };
  const countOf = (userId: string) =>
    system.inspect(async (query) => {
      const [row] = await query<{ messages: number; receipts: number; is_known: boolean }>(
        `SELECT (SELECT count(*)::integer FROM messages m JOIN conversations c USING (tenant_id)
                  WHERE c.id = m.conversation_id AND c.user_id = $1) AS messages,
                -- Of all users: under a pseudonym.
                (SELECT count(*)::integer FROM erasure_receipts) AS receipts,
                EXISTS (SELECT FROM users WHERE user_id = $1) AS is_known`,
        [userId],
      );
      return row!;
    });

  it(`is erased completely or not at all when the gateway is killed (seed ${TEST_SEED})`, async () => {
    reportFigure('kill -9 of a gateway that erases, seed', String(TEST_SEED));
    const rng = new SeededRng(TEST_SEED);
    const outcomes = { erased: 0, untouched: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [erasedUser, otherUser, word] = [`gone-${round}`, `stays-${round}`, `plumgrackle${round}q`];
      const otherBatches = await talk(otherUser, `amber${round}`, 10);
      const erasedBatches = await talk(erasedUser, word, POSTS);
      await waitUntilDone(client, erasedBatches.slice(0, 3), { explain });

      const victim = system.gateways[0]!;
      const erasing = new ApiClient(victim.url, system.tenantKey)
        .call('eraseUser', { params: { user_id: erasedUser } })
        .catch(() => null);
      // From immediately to long after: kills hit the beginning of the erasure, its middle and its end.
      await sleep(rng.nextFloat() * 40 * sized(4.8, 2.2) ** round);
      await victim.kill9();
      await erasing;
      // PostgreSQL notices the end of the process only after the statement.
      await waitUntil(
        () =>
          system.inspect(async (query) => {
            const busy = await query(
              `SELECT FROM pg_stat_activity WHERE query LIKE '%erase_and_seal%' AND state <> 'idle'
                  AND pid <> pg_backend_pid() AND datname = current_database()`,
            );
            return busy.length === 0;
          }),
        { describe: 'the erasure of the killed gateway has ended' },
      );
      const state = await countOf(erasedUser);
      // One of each round before.
      const isErased = state.receipts === round + 1;
      const receipts = isErased ? round + 1 : round;
      expect(state).toEqual({ messages: isErased ? 0 : POSTS, receipts, is_known: !isErased });
      outcomes[isErased ? 'erased' : 'untouched'] += 1;
      await victim.start();

      const receipt = await client.must('eraseUser', { params: { user_id: erasedUser } });
      await waitUntilDone(client, otherBatches, { explain });
      await waitUntil(() => system.inspect(async (query) => (await query('SELECT FROM work')).length === 0), {
        describe: 'the outbox is empty',
      });
      expect(await client.must('eraseUser', { params: { user_id: erasedUser } })).toEqual(receipt);
      expect(await system.inspect((query) => findTablesContaining(query, word))).toEqual([]);
      expect(await system.dumpQueues()).not.toContain(word);
      expect(system.logs).not.toContain(word);

      const again = await talk(erasedUser, 'marble', 3);
      await waitUntilDone(client, again, { explain });
      const { items } = await client.must('listMemories', { query: { user_id: erasedUser } });
      expect(items.map(({ content }) => content)).toEqual(
        Array.from({ length: 3 }, () => expect.stringContaining('marble')),
      );
      expect((await client.must('listMemories', { query: { user_id: otherUser } })).items).toHaveLength(10);
    }
    reportFigure(
      `kill -9 of a gateway that erases a user of ${POSTS} batches under way, ${ROUNDS} times`,
      `${outcomes.erased} erased, ${outcomes.untouched} untouched, none in between`,
    );
    const findings: AuditFinding[] = [];
    await system.inspect(async (query) => {
      const tenants = await query<{ tenant_id: string }>('SELECT tenant_id FROM tenants');
      for (const { tenant_id: tenantId } of tenants) {
        await verifyHistory(
          { readTenant: (id, work) => asTenant(query, id, work) },
          { tenantId, report: (finding) => findings.push(finding), chainKey: null },
        );
      }
    });
    expect(findings).toEqual([]);
  });
});
