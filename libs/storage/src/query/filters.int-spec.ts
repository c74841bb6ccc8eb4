import { type MemoryType, MEMORY_TYPES, type MessageRole } from '@annals/contracts';
import type { MemoryChange } from '@annals/domain';
import fc from 'fast-check';
import { post, buildMessage } from '../fixtures/post.fixture.js';
import { RecallFixture, vectorOf } from '../fixtures/recall.fixture.js';
import type { StorageFixture } from '../fixtures/storage.fixture.js';
import type { RecallSearch } from './recall-search.js';

const DAY = 86_400_000;
const USER = 'ada';
const CATEGORIES = ['profile', 'tasks', 'activity'];
const THREADS = ['t1', 't2', 't3'];
const AGENTS = ['planner', 'stylist', null];
const RUNS = ['r1', null];
const APPS = ['mail', null];
const ACTORS = ['ana', 'ben', null];
const ROLES: MessageRole[] = ['user', 'assistant', 'tool', 'system'];
const DAYS = 10;

/** Source of a statement. */
interface SourceFields {
  readonly thread_id: string;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly app_id: string | null;
  readonly actor_id: string | null;
  readonly role: MessageRole;
}

interface StoredMemory {
  readonly id: string;
  readonly state: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly pinned: boolean;
  readonly importance: number;
  readonly updated_at: Date;
  readonly valid_from: Date;
  readonly valid_to: Date | null;
  readonly recorded_at: Date;
  readonly closed_at: Date | null;
  readonly sources: readonly SourceFields[];
}

interface StoredTurn extends SourceFields {
  readonly id: string;
  readonly said_at: Date;
  readonly received_at: Date;
  readonly hidden_at: Date | null;
  readonly is_cited_by_deleted: boolean;
}

type Scope = Pick<RecallSearch, 'filters' | 'categories' | 'types' | 'asOf' | 'knownAt'>;

/** The same filter rules, implemented row by row without SQL. */
function isVisibleMemory(memory: StoredMemory, scope: Scope, now: number): boolean {
  const { filters, categories, types } = scope;
  const { thread_id, agent_id, run_id, actor_id, app_id, role } = filters;
  const sourceFilters = Object.entries({ thread_id, agent_id, run_id, actor_id, app_id, role }).filter(
    ([, value]) => value,
  );
  const updated = memory.updated_at.getTime();
  return (
    memory.state === 'active' &&
    (categories === null || categories.includes(memory.category)) &&
    (filters.category === undefined || filters.category === memory.category) &&
    (types === null || types.includes(memory.type)) &&
    (filters.pinned === undefined || filters.pinned === memory.pinned) &&
    memory.importance >= (filters.importance_min ?? 1) &&
    memory.importance <= (filters.importance_max ?? 5) &&
    (!filters.updated_after || updated > Date.parse(filters.updated_after)) &&
    (!filters.updated_before || updated < Date.parse(filters.updated_before)) &&
    (sourceFilters.length === 0 ||
      memory.sources.some((source) =>
        sourceFilters.every(([name, value]) => source[name as keyof SourceFields] === value),
      )) &&
    held(memory, scope, now)
  );
}

function held(memory: StoredMemory, { asOf, knownAt }: Scope, now: number): boolean {
  const known = knownAt === null ? Number.POSITIVE_INFINITY : Date.parse(knownAt);
  if (memory.recorded_at.getTime() > known) return false;
  const at = asOf !== null ? Date.parse(asOf) : knownAt !== null ? known : now;
  if (asOf !== null && memory.valid_from.getTime() > at) return false;
  const isEndKnown = memory.closed_at !== null && memory.closed_at.getTime() <= known;
  const end = knownAt === null || isEndKnown ? memory.valid_to : null;
  return end === null || end.getTime() > at;
}

function isVisibleTurn(turn: StoredTurn, { filters, categories, types, asOf, knownAt }: Scope): boolean {
  const { thread_id, agent_id, run_id, actor_id, app_id, role } = filters;
  const sourceFilters = Object.entries({ thread_id, agent_id, run_id, actor_id, app_id, role }).filter(
    ([, value]) => value,
  );
  const received = turn.received_at.getTime();
  return (
    (turn.role === 'user' || turn.role === 'assistant') &&
    turn.hidden_at === null &&
    !turn.is_cited_by_deleted &&
    (categories === null || categories.includes('activity')) &&
    (filters.category === undefined || filters.category === 'activity') &&
    (types === null || types.includes('turn')) &&
    filters.pinned !== true &&
    (filters.importance_min ?? 1) <= 2 &&
    (filters.importance_max ?? 5) >= 2 &&
    (!filters.updated_after || received > Date.parse(filters.updated_after)) &&
    (!filters.updated_before || received < Date.parse(filters.updated_before)) &&
    (asOf === null || turn.said_at.getTime() <= Date.parse(asOf)) &&
    (knownAt === null || received <= Date.parse(knownAt)) &&
    sourceFilters.every(([name, value]) => turn[name as keyof SourceFields] === value)
  );
}

describe('filters of findCandidates', () => {
  let fixture: StorageFixture;
  let recall: RecallFixture;
  let start: number;
  let memories: StoredMemory[];
  let turns: StoredTurn[];

  const pick = <T>(items: readonly T[], n: number): T => items[n % items.length]!;

  beforeAll(async () => {
    recall = await RecallFixture.open();
    ({ fixture } = recall);
    start = fixture.clock.now();
    // The other tenant's rows have the same names.
    const other = new RecallFixture(fixture, await fixture.addTenant());
    for (const [where, user] of [
      [recall, USER],
      [recall, 'eve'],
      [other, USER],
    ] as const) {
      fixture.clock.reset(start);
      await fill(where, user);
    }
    ({ memories, turns } = await readAll());
  });
  afterAll(() => fixture.close());

  /** Ten days of data with a variety of values for every filter. */
  async function fill(where: RecallFixture, userId: string): Promise<void> {
    const ids: string[] = [];
    for (let n = 0; n < 36; n += 1) {
      fixture.clock.reset(start + Math.floor(n / 4) * DAY);
      const content = `tea said ${n}`;
      const { batchIds } = await post(fixture, where.tenantId, {
        userId,
        threadId: pick(THREADS, n),
        agentId: pick(AGENTS, n >> 1),
        runId: pick(RUNS, n >> 2),
        appId: pick(APPS, n >> 3),
        messages: [
          {
            ...buildMessage(content),
            role: pick(ROLES, n),
            actorId: pick(ACTORS, n),
            saidAt: fixture.clock.now() - (n % 3) * DAY,
          },
        ],
        flush: true,
      });
      if (n % 5 !== 0) await where.index(batchIds[0]!);
      const sources = n % 4 === 3 ? [] : [{ messageId: await where.messageId(userId, content), quote: 'tea' }];
      const change: MemoryChange = where.observe(`Ana likes tea of kind ${n}`, {
        sources,
        category: pick(CATEGORIES, n),
        type: pick(MEMORY_TYPES, n >> 1),
        importance: 1 + (n % 5),
        pinned: n % 6 === 0,
        quarantineReason: n % 13 === 12 ? 'quote_not_found' : null,
        validFrom: fixture.clock.now() - (n % 4) * DAY,
        validTo: n % 7 === 6 ? fixture.clock.now() + 2 * DAY : null,
      });
      ids.push(...(await where.write(userId, change)));
    }
    for (const [n, memoryId] of ids.entries()) {
      fixture.clock.reset(start + (n % DAYS) * DAY + DAY / 2);
      if (n % 9 === 4) await where.write(userId, { kind: 'delete', memoryId, by: n % 2 === 0 ? 'user' : 'ttl' });
      if (n % 9 === 7) {
        const memory = where.memory(`Ana prefers tea of kind ${n} now`);
        await where.write(userId, { kind: 'supersede', memoryId, memory });
      }
    }
    await fixture.queryAsSuperuser(
      `UPDATE messages SET hidden_at = now() FROM conversations c
        WHERE c.tenant_id = messages.tenant_id AND c.id = conversation_id AND c.user_id = $2 AND c.tenant_id = $1
          AND content = 'tea said 20'`,
      [where.tenantId, userId],
    );
    fixture.clock.reset(start + DAYS * DAY);
  }

  async function readAll() {
    const parameters = [recall.tenantId, USER];
    return {
      memories: await fixture.queryAsSuperuser<StoredMemory>(
        `SELECT m.*, coalesce((SELECT jsonb_agg(s) FROM memory_sources s WHERE s.memory_id = m.id), '[]') AS sources
           FROM memories m WHERE tenant_id = $1 AND user_id = $2`,
        parameters,
      ),
      turns: await fixture.queryAsSuperuser<StoredTurn>(
        `SELECT m.*, c.thread_id,
                EXISTS (SELECT FROM memory_sources s JOIN memories d ON d.id = s.memory_id
                         WHERE s.message_id = m.id AND d.deleted_by = 'user') AS is_cited_by_deleted
           FROM messages m JOIN conversations c ON c.id = m.conversation_id
          WHERE m.tenant_id = $1 AND c.user_id = $2`,
        parameters,
      ),
    };
  }

  const expectedIds = (scope: Scope, now: number) =>
    [
      ...memories.filter((memory) => isVisibleMemory(memory, scope, now)),
      ...turns.filter((turn) => isVisibleTurn(turn, scope)),
    ]
      .map(({ id }) => id)
      .toSorted();

  const time = fc.integer({ min: -4, max: DAYS + 2 }).map((days) => days * DAY + DAY / 4);
  const instant = () => time.map((offset) => new Date(Date.UTC(2026, 0, 5, 9) + offset).toISOString());
  const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 2, nil: undefined });
  const named = <T extends string>(values: readonly (T | null)[]) =>
    maybe(fc.constantFrom(...values.filter((value): value is T => value !== null)));
  const filters = fc.record({
    user_id: fc.constant(USER),
    thread_id: named(THREADS),
    agent_id: named(AGENTS),
    run_id: named(RUNS),
    actor_id: named(ACTORS),
    app_id: named(APPS),
    role: named(ROLES),
    category: named(CATEGORIES),
    pinned: maybe(fc.boolean()),
    importance_min: maybe(fc.integer({ min: 1, max: 5 })),
    importance_max: maybe(fc.integer({ min: 1, max: 5 })),
    updated_after: maybe(instant()),
    updated_before: maybe(instant()),
  });
  const scopes: fc.Arbitrary<Scope> = fc
    .record({
      filters,
      categories: fc.option(fc.uniqueArray(fc.constantFrom(...CATEGORIES), { minLength: 1 })),
      types: fc.option(fc.uniqueArray(fc.constantFrom(...MEMORY_TYPES, 'turn' as const), { minLength: 1 })),
      asOf: fc.option(instant(), { freq: 2 }),
      knownAt: fc.option(instant(), { freq: 2 }),
    })
    // Each filter is off more often than not, or too few rows would be left to compare.
    .chain((scope) =>
      fc.subarray(Object.keys(scope.filters), { maxLength: 3 }).map((kept) => ({
        ...scope,
        filters: Object.fromEntries(
          Object.entries(scope.filters).filter(
            ([name, value]) => value !== undefined && [...kept, 'user_id'].includes(name),
          ),
        ) as Scope['filters'],
      })),
    );

  it('return all rows that match the rules, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, fc.boolean(), async (scope, withVector) => {
        const extra = { ...scope, limit: 200, queryVector: withVector ? vectorOf('tea') : null };
        const found = await recall.candidates(USER, 'tea', extra);
        expect(found.map(({ id }) => id).toSorted()).toEqual(expectedIds(scope, fixture.clock.now()));
      }),
      { numRuns: 150 },
    );
  });

  it('never reduce the number of results below the limit, for any small limit', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, fc.integer({ min: 1, max: 3 }), async (scope, limit) => {
        const found = await recall.candidates(USER, 'tea', { ...scope, limit });
        const visible = expectedIds(scope, fixture.clock.now());
        const ofMemories = memories.filter(({ id }) => visible.includes(id)).length;
        expect(found.every(({ id }) => visible.includes(id))).toBe(true);
        expect(found.filter(({ kind }) => kind === 'memory')).toHaveLength(Math.min(limit, ofMemories));
        expect(found.filter(({ kind }) => kind === 'turn')).toHaveLength(Math.min(limit, visible.length - ofMemories));
      }),
      { numRuns: 100 },
    );
  });

  const single: [string, Partial<Scope>][] = [
    ['categories', { categories: ['tasks'] }],
    ['types', { types: ['episodic'] }],
    ['types with turns', { types: ['turn'] }],
    ['as_of', { asOf: new Date(Date.UTC(2026, 0, 8)).toISOString() }],
    ['known_at', { knownAt: new Date(Date.UTC(2026, 0, 8)).toISOString() }],
    ...Object.entries({
      thread_id: 't1',
      agent_id: 'planner',
      run_id: 'r1',
      actor_id: 'ben',
      app_id: 'mail',
      role: 'assistant',
      category: 'activity',
      pinned: true,
      importance_min: 3,
      importance_max: 2,
      updated_after: new Date(Date.UTC(2026, 0, 12)).toISOString(),
      updated_before: new Date(Date.UTC(2026, 0, 8)).toISOString(),
    }).map(([name, value]): [string, Partial<Scope>] => [name, { filters: { user_id: USER, [name]: value } }]),
  ];

  it.each(single)('%s alone narrows the results and leaves some', async (_name, part) => {
    const nothing: Scope = { filters: { user_id: USER }, categories: null, types: null, asOf: null, knownAt: null };
    const scope = { ...nothing, ...part };
    const [all, few] = [nothing, scope].map((each) => expectedIds(each, fixture.clock.now()));
    expect(few!.length).toBeGreaterThan(0);
    expect(few).not.toEqual(all);
    const found = await recall.candidates(USER, 'tea', { ...scope, limit: 200 });
    expect(found.map(({ id }) => id).toSorted()).toEqual(few);
  });
});
