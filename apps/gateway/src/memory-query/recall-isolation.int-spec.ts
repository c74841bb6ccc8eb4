import { GLOBAL_OWNER, type MemoryQueryAnswer, type ThreadDelta } from '@annals/contracts';
import fc from 'fast-check';
import type { MemoryFixture } from '../fixtures/memory.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import {
  AGENTS,
  type Binding,
  buildTestData,
  CATEGORIES,
  THREAD_SCOPES,
  reachOf,
  type TestItem,
  THREADS,
  USERS,
} from './recall-isolation.fixture.js';

const RUNS = 250;
const NAMES = [...CATEGORIES, 'activity'] as const;

interface Filters {
  user_id: (typeof USERS)[number];
  thread_id?: keyof typeof THREAD_SCOPES | undefined;
  agent_id?: string | undefined;
  run_id?: string | undefined;
  app_id?: string | undefined;
  actor_id?: string | undefined;
  role?: string | undefined;
  category?: string | undefined;
  pinned?: boolean | undefined;
  importance_min?: number | undefined;
  importance_max?: number | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
}

interface Query {
  agent?: string | undefined;
  categories?: string[] | undefined;
  types?: TestItem['type'][] | undefined;
  filters: Filters;
}

/** Omitted `weight` times as often as present, so that many filters together still match something. */
const maybe = <T>(of: fc.Arbitrary<T>, weight = 2) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: of });
const oneOf = <T extends string>(of: readonly T[]) => fc.constantFrom(...of);
const FAR = { before: '2000-01-01T00:00:00Z', after: '2100-01-01T00:00:00Z' };

/** Avoids bounds that exclude everything, which the API refuses. */
const isPossible = ({ importance_min: min = 1, importance_max: max = 5, updated_after, updated_before }: Filters) =>
  min <= max && (updated_after === undefined || updated_before === undefined || updated_after < updated_before);

const arbitraryFilters: fc.Arbitrary<Filters> = fc
  .record({
    user_id: oneOf(USERS),
    thread_id: maybe(oneOf(THREADS), 4),
    agent_id: maybe(oneOf(['planner', 'stylist', 'nobody']), 5),
    run_id: maybe(oneOf(['r1', 'r2']), 6),
    app_id: maybe(oneOf(['p1', 'p2']), 6),
    actor_id: maybe(oneOf(['x', 'y']), 6),
    role: maybe(oneOf(['user', 'assistant']), 6),
    category: maybe(oneOf(NAMES), 5),
    pinned: maybe(fc.boolean(), 4),
    importance_min: maybe(fc.integer({ min: 1, max: 5 }), 4),
    importance_max: maybe(fc.integer({ min: 1, max: 5 }), 4),
    updated_after: maybe(oneOf(Object.values(FAR)), 20),
    updated_before: maybe(oneOf(Object.values(FAR)), 20),
  })
  .filter(isPossible);
const arbitraryQuery: fc.Arbitrary<Query> = fc.record({
  agent: maybe(oneOf(AGENTS)),
  categories: maybe(fc.subarray([...NAMES], { minLength: 1 })),
  types: maybe(
    fc.subarray(['semantic', 'episodic', 'insight', 'procedural', 'turn'] as TestItem['type'][], { minLength: 1 }),
  ),
  filters: arbitraryFilters,
});
/** Keys with bindings, and the one without. */
const BINDINGS: Binding[] = [
  {},
  { userId: 'ada' },
  { agentId: 'stylist' },
  { agentId: 'planner', userId: 'ben' },
  { categories: ['goals', 'tone', 'activity'] },
  { agentId: 'supervisor', categories: ['profile', 'goals', 'procedural'] },
  { userId: 'ada', agentId: 'executor', categories: ['tasks'] },
];

describe('recall returns only what the caller may see', () => {
  let gateway: TestGateway;
  let fixtures: MemoryFixture[];
  let testItems: TestItem[];
  let globalIds: ReadonlySet<string>;
  let keys: { tenantId: string; binding: Binding; key: string }[];

  beforeAll(async () => {
    gateway = await startGateway();
    ({ fixtures, items: testItems } = await buildTestData(gateway));
    globalIds = new Set(testItems.filter(({ user }) => user === GLOBAL_OWNER).map(({ id }) => id));
    keys = await Promise.all(
      fixtures.flatMap(({ tenantId }) =>
        BINDINGS.map(async (binding) => ({ tenantId, binding, key: await gateway.makeKey({ tenantId, ...binding }) })),
      ),
    );
  });
  afterAll(() => gateway?.close());

  const key = fc.nat({ max: 2 * BINDINGS.length - 1 });

  /** The test data that a query may return, or null when it has to be refused. */
  function expectedOf(query: Query, { tenantId, binding }: { tenantId: string; binding: Binding }): TestItem[] | null {
    const { agent, filters } = query;
    const named = [...(query.categories ?? []), ...(filters.category ? [filters.category] : [])];
    const reaches = reachOf(binding, agent);
    if (binding.userId !== undefined && binding.userId !== filters.user_id) return null;
    if (binding.agentId !== undefined && agent !== undefined && agent !== binding.agentId) return null;
    if (named.some((name) => !reaches(name))) return null;
    return testItems.filter(
      (item) =>
        item.tenantId === tenantId &&
        [filters.user_id, GLOBAL_OWNER].includes(item.user) &&
        item.state === 'served' &&
        !item.isHidden &&
        reaches(item.category) &&
        (query.categories?.includes(item.category) ?? true) &&
        (item.category !== 'procedural' || named.includes('procedural')) &&
        (query.types?.includes(item.type) ?? true) &&
        fitsFilters(item, filters),
    );
  }

  function fitsFilters(item: TestItem, filters: Filters): boolean {
    const { thread_id, agent_id, run_id, app_id, actor_id, role } = filters;
    const said = Object.entries({ agent_id, run_id, app_id, actor_id, role });
    const threadScope = item.thread && THREAD_SCOPES[item.thread];
    return (
      (thread_id === undefined || item.thread === thread_id) &&
      said.every(([name, value]) => value === undefined || threadScope?.[name as keyof typeof threadScope] === value) &&
      (filters.category === undefined || item.category === filters.category) &&
      (filters.pinned === undefined || item.pinned === filters.pinned) &&
      item.importance >= (filters.importance_min ?? 1) &&
      item.importance <= (filters.importance_max ?? 5) &&
      filters.updated_after !== FAR.after &&
      filters.updated_before !== FAR.before
    );
  }

  const markersIn = (value: unknown) =>
    [...JSON.stringify(value ?? null).matchAll(/mk\d+x/g)].map(([marker]) => marker);
  /**
   * Items that a text contains, by marker or id, although they are not in `allowed`. Sources name a memory's messages,
   * and `superseded_by` what holds in its place (`listSuccessors`).
   */
  function findStrays(value: unknown, allowed: readonly TestItem[]): string[] {
    const text = JSON.stringify(value, (name, inner: unknown) =>
      ['sources', 'superseded_by'].includes(name) ? undefined : inner,
    );
    const seen = new Set(allowed.map(({ id }) => id));
    return testItems
      .filter(({ id, marker }) => !seen.has(id) && (text.includes(id) || text.includes(marker)))
      .map(({ marker }) => marker);
  }
  /** The values of `superseded_by`. */
  const listSuccessors = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/"superseded_by":"([^"]+)"/g)].map(([, id]) => id);
  /** What a header and `superseded_by` may contain: the filters of a query apply to its results only. */
  const inView = (user: string, { tenantId, binding }: { tenantId: string; binding: Binding }, agent?: string) =>
    testItems.filter(
      (item) =>
        item.kind === 'memory' &&
        item.tenantId === tenantId &&
        item.user === user &&
        (item.state === 'served' || item.state === 'superseded') &&
        reachOf(binding, agent)(item.category),
    );

  it.each(['bullets', 'full'])(
    'in %s, header, links and explanation, for every filter, allowlist, tenant and key',
    async (form) => {
      const outcomes = { answered: 0, empty: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(arbitraryQuery, key, fc.boolean(), fc.boolean(), async (query, which, withQuery, isShort) => {
          const { key: secret, ...who } = keys[which]!;
          const expected = expectedOf(query, who);
          const { status, body } = await gateway.send<MemoryQueryAnswer>(secret, 'POST', '/v1/memory/query', {
            body: {
              ...query,
              ...(withQuery || query.types?.every((type) => type === 'turn') ? { query: 'What about zephyr?' } : {}),
              return: form,
              top_k: isShort ? 1 : 100,
              budget_tokens: 100_000,
              thread_id: query.filters.thread_id ?? 't1',
              since_rev: 0,
              explain: true,
            },
          });
          if (expected === null) {
            outcomes.refused += 1;
            expect(status).toBe(403);
            expect(markersIn(body)).toEqual([]);
            return;
          }
          expect(status).toBe(200);
          const { header, ...answer } = body;
          expect(findStrays(answer, expected)).toEqual([]);
          const view = inView(query.filters.user_id, who, query.agent);
          for (const marker of markersIn(header)) expect(view.map((item) => item.marker)).toContain(marker);
          const holding = view.filter(({ state }) => state === 'served').map(({ id }) => id);
          for (const id of listSuccessors(answer)) expect(holding).toContain(id);
          const global = [...body.core, ...body.memories, ...body.related].filter(({ scope }) => scope === 'global');
          expect(global.map(({ id }) => id).filter((id) => !globalIds.has(id))).toEqual([]);
          expect(JSON.stringify(body)).not.toContain(GLOBAL_OWNER);
          // Nothing that matches the filters is missing either; with one result, nothing of a category in mode `all`.
          const memories = expected.filter(({ kind }) => kind === 'memory');
          const got = [...body.core, ...body.memories].filter(({ type }) => type !== 'turn').map(({ id }) => id);
          if (!isShort) expect(got.toSorted()).toEqual(memories.map(({ id }) => id).toSorted());
          else if (body.explain!.embedding !== null) {
            const core = memories.filter(({ category }) => category === 'profile').map(({ id }) => id);
            expect(got).toEqual(expect.arrayContaining(core));
          }
          outcomes[got.length > 0 ? 'answered' : 'empty'] += 1;
        }),
        { numRuns: RUNS },
      );
      expect(Object.entries(outcomes).filter(([, count]) => count < 5)).toEqual([]);
    },
  );

  it('including every turn in the view', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryQuery, key, async (query, which) => {
        const { key: secret, ...who } = keys[which]!;
        const ofTurns: Query = { ...query, types: ['turn'] };
        const expected = expectedOf(ofTurns, who);
        const body = { ...ofTurns, query: 'zephyr', top_k: 100, budget_tokens: 100_000 };
        const answer = await gateway.send<MemoryQueryAnswer>(secret, 'POST', '/v1/memory/query', { body });
        expect(answer.status).toBe(expected === null ? 403 : 200);
        if (expected) {
          expect(answer.body.memories.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('in deltas, links and events', async () => {
    await fc.assert(
      fc.asyncProperty(
        oneOf(USERS),
        oneOf(THREADS),
        maybe(oneOf(AGENTS)),
        key,
        fc.nat(),
        async (user, thread, agent, which, some) => {
          const { key: secret, ...who } = keys[which]!;
          const { userId, agentId } = who.binding;
          const isRefused =
            (userId !== undefined && userId !== user) ||
            (agentId !== undefined && agent !== undefined && agent !== agentId);
          const delta = await gateway.send<ThreadDelta>(
            secret,
            'GET',
            `/v1/threads/${thread}/delta?user_id=${user}&since=0&limit=200${agent ? `&agent=${agent}` : ''}`,
          );
          expect(delta.status).toBe(isRefused ? 403 : 200);
          if (!isRefused) {
            const view = inView(user, who, agent).map(({ marker }) => marker);
            for (const marker of markersIn(delta.body)) expect(view).toContain(marker);
            for (const { category } of delta.body.changes) expect(reachOf(who.binding, agent)(category)).toBe(true);
          }
          const target = testItems[some % testItems.length]!;
          const isMine = (item: TestItem) =>
            item.tenantId === who.tenantId &&
            (userId === undefined || item.user === userId || item.user === GLOBAL_OWNER) &&
            reachOf(who.binding)(item.category);
          const related = await gateway.send(secret, 'GET', `/v1/memories/${target.id}/related`);
          expect(related.status).toBe(target.kind === 'memory' && isMine(target) ? 200 : 404);
          expect(
            findStrays(
              related.body,
              testItems.filter((item) => isMine(item) && item.state === 'served' && item.user === target.user),
            ),
          ).toEqual([]);
          const events = await gateway.send<{ items: { user_id: string | null }[] }>(
            secret,
            'GET',
            '/v1/events?limit=200',
          );
          expect(findStrays(events.body, testItems.filter(isMine))).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('with the same header for the same thread, revisions and view, whatever changes elsewhere', async () => {
    const { key: secret } = keys[0]!;
    const read = () => gateway.send<ThreadDelta>(secret, 'GET', '/v1/threads/t1/delta?user_id=ada&since=1');
    const before = (await read()).body;
    expect(before.header).toMatch(/^Memory updates since rev 1:\n- /);
    await fixtures[0]!.addMemory('ada', 'Another statement, by hand');
    await fixtures[0]!.addMemory('ben', 'Another statement of another user');
    expect((await read()).body).toEqual(before);
  });
});
