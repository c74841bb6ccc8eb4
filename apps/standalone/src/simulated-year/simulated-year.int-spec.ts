import { SeededRng } from '@annals/domain';
import { type AuditFinding, verifyAudit } from '@annals/storage';
import { findBrokenInvariants, isSoak, sized } from '@annals/testing';
import { findLabelledPair, MindYear } from './mind-year.fixture.js';
import { replayHistory, type ReplayedRow } from './replay-history.fixture.js';
import { SimulatedPerson } from './simulated-person.fixture.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;
const DAYS = sized(18, 365);
const PEOPLE = sized(1, 2);
const KEEP_DAYS = sized(3, 90);
/** Of the short year all periods are shorter. */
const SETTINGS = sized<Record<string, string>>(
  {
    ANNALS_TTL_DAYS: '4',
    ANNALS_PURGE_AFTER_DAYS: '2',
    ANNALS_EVENTS_KEEP_DAYS: String(KEEP_DAYS),
    ANNALS_MIND_RUNS_KEEP_DAYS: String(KEEP_DAYS),
    ANNALS_MAX_ENTRIES_PER_CONVERSATION: '15',
  },
  { ANNALS_MAX_ENTRIES_PER_CONVERSATION: '100' },
);
const MAX_TOMBSTONES = 3;

/** Tables that grow with what people say and do, as they are meant to. All others must stay as they are. */
const GROWING = new Set([
  // What was said, and what it was made into.
  'messages',
  'batches',
  'conversations',
  'extractions',
  'memories',
  'memory_sources',
  'memory_embeddings',
  'memory_access',
  'relations',
  'lexical_units',
  'lexical_postings',
  'summaries',
  'summary_sentences',
  // One row a conversation.
  'mind_watermarks',
  // Audit, which is never deleted by age.
  'history',
  'change_log',
  // Emptied by the scrubber of the embedded database, which is not here.
  'file_scrubs',
]);

/** Tables whose rows go by age, with the column and the retention in days. */
const AGED: Readonly<Record<string, readonly [column: string, days: number]>> = {
  mind_runs: ['ended_at', KEEP_DAYS],
  mind_run_changes: ['changed_at', KEEP_DAYS],
  events: ['ts', KEEP_DAYS],
};

interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly kilobytes: number;
}

describe('a simulated year with all minds on', () => {
  let year: MindYear;
  const people: SimulatedPerson[] = [];
  /** What maintenance did, by job. */
  const maintained: Record<string, number> = {};
  let sizeBefore: readonly TableSize[];
  let size: readonly TableSize[];

  beforeAll(async () => {
    year = await MindYear.open(SETTINGS);
    for (let index = 0; index < PEOPLE; index += 1) {
      const tenantId = await year.addTenant(`tenant ${index}`);
      people.push(new SimulatedPerson(year, tenantId, 'ada', new SeededRng(index)));
    }
    for (let day = 0; day < DAYS; day += 1) {
      if (day === Math.floor((DAYS * 2) / 3)) sizeBefore = await readSizes();
      await passDay(day);
    }
    size = await readSizes();
  });
  afterAll(() => year.close());

  async function passDay(day: number): Promise<void> {
    year.clock.advance(DAY_MS - 10 * MINUTE_MS);
    for (const { tenantId } of people) {
      await year.think(tenantId);
      await year.note(tenantId);
    }
    for (const [job, done] of Object.entries(await year.maintain())) maintained[job] = (maintained[job] ?? 0) + done;
    for (const person of people) if (day % 2 === 0) await person.live(day);
    // Conversations are idle by then.
    year.clock.advance(10 * MINUTE_MS);
    for (const { tenantId } of people) {
      await year.think(tenantId);
      await year.note(tenantId);
    }
  }

  async function readSizes(): Promise<TableSize[]> {
    const tables = await year.queryAsSuperuser<{ name: string; kilobytes: number }>(
      `SELECT c.relname AS name, (pg_total_relation_size(c.oid) / 1024)::integer AS kilobytes FROM pg_class c
        WHERE c.relnamespace = 'annals'::regnamespace AND c.relkind = 'r' ORDER BY c.relname`,
    );
    return Promise.all(
      tables.map(async ({ name, kilobytes }) => {
        const [row] = await year.queryAsSuperuser<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${name}`);
        return { name, kilobytes, rows: row!.rows };
      }),
    );
  }

  async function replay() {
    const rows = await year.queryAsSuperuser<ReplayedRow>(
      `SELECT event, memory_id, actor, meta ->> 'undone' AS undone FROM history ORDER BY tenant_id, user_id, seq`,
    );
    return replayHistory(rows);
  }

  const sumOf = (name: keyof SimulatedPerson['did']) => people.reduce((sum, { did }) => sum + did[name], 0);

  it('makes every transition exactly as often as runs, jobs, counters and history say', async () => {
    const { counts, deletedAlong, impossible } = await replay();
    expect(impossible).toEqual([]);
    const of = (...names: string[]) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
    const consolidated = (name: string) => year.sumOfRuns('consolidation', name);
    const inferred = (name: string) => year.sumOfRuns('insights', name);
    const [insightFalls, insightReturns] = await Promise.all(
      ['DELETE', 'RESTORE'].map((event) => countOfInsights(event)),
    );
    const merges = consolidated('merges');
    expect({
      merged: of('MERGE consolidation'),
      mergedTexts: of('ADD consolidation'),
      reranked: of('UPDATE consolidation'),
      undone: of('UNDO ADD spec', 'UPDATE spec', 'UNDO LINK spec'),
      insights: of('ADD insights'),
      insightsSuperseded: of('UPDATE insights'),
      deleted: of('DELETE spec') - insightFalls! - deletedAlong,
      expired: of('TTL lifecycle'),
      purged: of('PURGE lifecycle'),
      evictedFacts: counts['EVICT eviction']! - (await countTurnRows()),
    }).toEqual({
      merged: 2 * merges,
      mergedTexts: merges,
      reranked: consolidated('reranks'),
      undone: sumOf('undoneChanges'),
      insights: inferred('created'),
      insightsSuperseded: inferred('superseded'),
      deleted: sumOf('deleted'),
      expired: maintained['memory_expiry'],
      purged: maintained['memory_purge'],
      evictedFacts: year.sumOfRuns('summary', 'evicted_facts'),
    });
    expect(Math.min(merges, inferred('created'), of('TTL lifecycle'), of('PURGE lifecycle'))).toBeGreaterThan(0);
    if (!isSoak) return;
    expect(Math.min(consolidated('links'), consolidated('reranks'), sumOf('undoneRuns'))).toBeGreaterThan(0);
    const links = { linked: consolidated('links'), insightFalls, insightReturns };
    process.stdout.write(`figure: transitions: ${JSON.stringify({ ...counts, ...links, ...maintained })}\n`);
  });

  async function countOfInsights(event: string): Promise<number> {
    const [row] = await year.queryAsSuperuser<{ n: number }>(
      `SELECT count(*)::integer AS n FROM history h WHERE h.event = $1 AND EXISTS (
         SELECT FROM history a WHERE a.tenant_id = h.tenant_id AND a.memory_id = h.memory_id
            AND a.event IN ('ADD', 'QUARANTINE') AND a.actor = 'insights')`,
      [event],
    );
    return row!.n;
  }

  async function countTurnRows(): Promise<number> {
    const [row] = await year.queryAsSuperuser<{ n: number }>(
      `SELECT count(*)::integer AS n FROM history WHERE event = 'EVICT' AND memory_id IS NULL`,
    );
    return row!.n;
  }

  it('leaves every memory in the state that its history says', async () => {
    const { states } = await replay();
    const rows = await year.queryAsSuperuser<{ id: string; state: string }>('SELECT id, state FROM memories');
    const stored = new Map(rows.map(({ id, state }) => [id, state]));
    const said = [...states].filter(([id, state]) => (stored.get(id) ?? 'purged') !== state);
    expect([said, [...stored.keys()].filter((id) => !states.has(id))]).toEqual([[], []]);
  });

  it('keeps of each place of a summary the live one and three tombstones', async () => {
    const made = new Map<string, number>();
    for (const place of year.summaries.values()) made.set(place, (made.get(place) ?? 0) + 1);
    expect(year.summaries.size).toBe(year.sumOfRuns('summary', 'summaries'));
    expect(await year.count('memory_llm_summaries_total')).toBe(year.summaries.size);
    const rows = await year.queryAsSuperuser<{ place: string; live: number; kept: number }>(
      `SELECT concat_ws(' ', conversation_id, tier, position) AS place, count(*)::integer AS kept,
              count(*) FILTER (WHERE tombstoned_at IS NULL)::integer AS live FROM summaries GROUP BY 1`,
    );
    expect(new Map(rows.map(({ place, kept }) => [place, kept]))).toEqual(
      new Map([...made].map(([place, times]) => [place, Math.min(times, 1 + MAX_TOMBSTONES)])),
    );
    expect(rows.filter(({ live }) => live !== 1)).toEqual([]);
  });

  it('takes out of the index as many turns as runs report', async () => {
    const [row] = await year.queryAsSuperuser<{ n: number }>(
      'SELECT count(*)::integer AS n FROM messages WHERE evicted_at IS NOT NULL',
    );
    expect(row!.n).toBeGreaterThan(0);
    const reported = year.sumOfRuns('summary', 'evicted_turns');
    expect([row!.n, await year.count('memory_llm_evicted_total', 'entry="turn"')]).toEqual([reported, reported]);
  });

  it('merges nothing but two statements of one fact', async () => {
    const rows = await year.queryAsSuperuser<{ parts: string[] }>(
      `SELECT array_agg(m.content ORDER BY m.id) AS parts FROM memories m
         JOIN memories n ON n.tenant_id = m.tenant_id AND n.id = m.superseded_by
         JOIN history h ON h.tenant_id = n.tenant_id AND h.memory_id = n.id AND h.event = 'ADD' AND h.actor = 'consolidation'
        GROUP BY n.id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ parts: [a, b] }) => findLabelledPair(a!, b!)?.expected !== 'merge')).toEqual([]);
  });

  it.each(Object.entries(AGED))('keeps %s for their retention and no longer', async (table, [column, days]) => {
    const [kept] = await year.queryAsSuperuser<{ rows: number; first: Date | null }>(
      `SELECT count(*)::integer AS rows, min(${column}) AS first FROM ${table}`,
    );
    if (table === 'mind_runs') expect(year.runs.size).toBe(kept!.rows + maintained['mind_runs']!);
    expect(kept!.first!.getTime()).toBeGreaterThan(year.clock.now() - (days + 1) * DAY_MS);
    // Older ones were there.
    expect(days).toBeLessThan(DAYS / 2);
  });

  it('keeps the audit and the invariants', async () => {
    const findings: AuditFinding[] = [];
    const key = year.testDatabase.app.chainKey!;
    await verifyAudit(year.database, { tenantId: null, keys: [key], report: (finding) => findings.push(finding) });
    expect(findings).toEqual([]);
    const broken = await findBrokenInvariants(year.queryAsSuperuser, { batchIds: [], contents: new Map() });
    // Schedules are work, evicted turns are out of the index, insights have a ground in the place of sources, and vectors
    // of what minds worded are work of another worker.
    for (const rule of [
      'no work is left in the outbox',
      'every turn of a batch that is done is in the index',
      'every extracted memory has a source whose quote is in the message',
      'every current memory has one vector and index terms',
    ])
      delete broken[rule];
    expect(broken).toEqual({});
  });

  it('lets no table grow that has no reason to', () => {
    const before = new Map(sizeBefore.map(({ name, rows }) => [name, rows]));
    const grown = size.filter(
      ({ name, rows }) => !GROWING.has(name) && !(name in AGED) && rows > before.get(name)! * 1.25 + 25,
    );
    expect(grown).toEqual([]);
    if (!isSoak) return;
    for (const { name, rows, kilobytes } of size)
      if (rows > 0) process.stdout.write(`figure: ${name}: ${rows} rows, ${kilobytes} KiB\n`);
  });
});
