import type { QueryHit } from '@annals/contracts';
import { type AuditFinding, verifyHistory, verifyMemories } from '@annals/storage';
import {
  type AnnalsSystem,
  ApiClient,
  asTenant,
  type FakeModels,
  MEMORY_PAIRS,
  startFakeModels,
  startSystem,
  waitUntil,
} from '@annals/testing';
import { chooseFakeModels } from '../faults/model-variables.js';

/** What is one fact, and what is about one topic, of all domains. */
const PAIRS = MEMORY_PAIRS.filter(({ expected }) => expected !== 'apart').filter((_, index) => index % 3 === 0);
const USER = 'ada';
const SHOWN_PAIR = /<pair (?<name>p\d+)>\na \(since [^)]*\): (?<a>.*)\nb \(since [^)]*\): (?<b>.*)\n<\/pair>/gu;
const VERDICTS = { merge: 'SAME', link: 'RELATED', apart: 'DIFFERENT' } as const;

/** Decides as the pairs are labelled. */
function decide(prompt: string): string {
  const shown = [...prompt.matchAll(SHOWN_PAIR)].map(({ groups }) => groups as { name: string; a: string; b: string });
  const pairs = shown.map(({ name, a, b }) => {
    const label = PAIRS.find((pair) => [pair.a, pair.b].toSorted().join() === [a, b].toSorted().join());
    return { id: name, verdict: VERDICTS[label?.expected ?? 'apart'], text: label?.merged ?? null };
  });
  return JSON.stringify({ pairs });
}

/** Columns of memories that record writes. */
const WRITES = `ARRAY['revision', 'updated_at', 'closed_at', 'former_ends', 'reranked_at', 'kept_apart']`;

describe('a run of consolidation that is undone', () => {
  let system: AnnalsSystem;
  let models: FakeModels;
  let client: ApiClient;

  beforeAll(async () => {
    models = await startFakeModels({ answer: ({ userTexts }) => decide(userTexts[0] ?? '') });
    const env = chooseFakeModels(models, { ANNALS_MINDS: 'on', ANNALS_RATE_LIMIT_PER_MINUTE: '100000' });
    system = await startSystem({ env, minds: 1 });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    for (const content of PAIRS.flatMap(({ a, b }) => [a, b])) {
      await client.must('addMemory', { body: { user_id: USER, content, category: 'profile' } });
    }
    await waitUntil(async () => (await listWork('vectors')).length === 0, { describe: 'every memory has a vector' });
  });
  afterAll(async () => {
    await system?.close();
    await models?.close();
  });

  const listWork = async (kind: 'vectors') => (await client.must('listWork', { query: { kind } })).items;

  /** The answer to a question about each statement, in its order. */
  async function askAll(): Promise<Record<string, string[]>> {
    const answers: Record<string, string[]> = {};
    for (const query of PAIRS.flatMap(({ a, b }) => [a, b])) {
      const body = { query, filters: { user_id: USER }, return: 'full' as const, top_k: 10, budget_tokens: 4_000 };
      const { memories } = await client.must('queryMemory', { body });
      answers[query] = (memories as QueryHit[]).map(({ id, content }) => `${id} ${content}`);
    }
    return answers;
  }

  /**
   * All that an undo has to bring back, and what the audit finds wrong. Of the memories not when they were written last,
   * how often, and how often their end was recorded: the undo is a write itself. Nor that a run is not to merge them again.
   */
  const readStores = () =>
    system.inspect(async (query) => {
      const read = (sql: string) => query<object>(sql, [USER]);
      const findings: AuditFinding[] = [];
      for (const { tenant_id: tenantId } of await query<{ tenant_id: string }>('SELECT tenant_id FROM tenants')) {
        const database: Parameters<typeof verifyHistory>[0] = { readTenant: (id, work) => asTenant(query, id, work) };
        const scope = { tenantId, report: (finding: AuditFinding) => void findings.push(finding), chainKey: null };
        await verifyHistory(database, scope);
        await verifyMemories(database, scope);
      }
      return {
        findings,
        memories: await read(
          `SELECT to_jsonb(m) - ${WRITES} AS memory FROM memories m WHERE user_id = $1 AND state = 'active' ORDER BY id`,
        ),
        vectors: await read(
          `SELECT e.memory_id, e.model, e.content_hash FROM memory_embeddings e JOIN memories m ON m.id = e.memory_id
            WHERE m.user_id = $1 AND m.state = 'active' ORDER BY 1, 2`,
        ),
        index: await read(
          `SELECT memory_count, term_total, (SELECT count(*) FROM lexical_units WHERE user_id = $1)::integer AS units,
                  (SELECT sum(length(entries)) FROM lexical_postings WHERE user_id = $1)::integer AS postings
             FROM users WHERE user_id = $1`,
        ),
        sources: await read('SELECT memory_id, message_id, quote FROM memory_sources WHERE user_id = $1 ORDER BY 1, 2'),
        edges: await read(
          'SELECT from_id, to_id, relation_type, strength FROM relations WHERE user_id = $1 ORDER BY 1, 2',
        ),
      };
    });

  it('leaves memories, relations, the answers to every question and the audit as they were', async () => {
    const [stored, answers] = [await readStores(), await askAll()];
    expect(Object.keys(answers).length).toBeGreaterThanOrEqual(50);
    const { run_id: id } = await client.must('startConsolidation', { body: { user_id: USER } });
    const run = await waitUntil(
      async () => {
        const found = await client.must('getConsolidationRun', { params: { id } });
        return found.state === 'done' || found.state === 'deferred' ? found : undefined;
      },
      { describe: 'the run is done, or waits for the pairs of the next day' },
    );
    expect(run.changes.filter(({ change, state }) => change === 'merge' && state === 'written').length).toBeGreaterThan(
      5,
    );
    expect(await askAll()).not.toEqual(answers);
    const undone = await client.must('undoConsolidationRun', { params: { id } });
    expect(undone).toMatchObject({ undone: run.changes.filter(({ state }) => state === 'written').length, left: {} });
    expect(await askAll()).toEqual(answers);
    expect(await readStores()).toEqual(stored);
    expect(stored.findings).toEqual([]);
  });
});
