import {
  type AppContextBody,
  type AppMemoryBody,
  type ConversationAccepted,
  type RouteAccess,
  ROUTE_ACCESS,
  type RouteDefinition,
  type RouteName,
  routes,
  type Scope,
} from '@annals/contracts';
import { createTestPool, type OpenAiChatServer, sized, startOpenAiChatServer, takeTurns } from '@annals/testing';
import { REQUEST_BODIES } from '../fixtures/request-bodies.fixture.js';
import { startGateway, type TestGateway } from '../fixtures/start-gateway.fixture.js';
import { type BoundKey, canUse, KeyBindingsFixture, MESSAGE_ID, type Target, TASK_ID } from './key-bindings.fixture.js';

type Input = { readonly params?: object; readonly query?: object; readonly body?: object };
type Call = {
  readonly name: RouteName;
  readonly route: RouteDefinition;
  readonly key: BoundKey;
  readonly target: Target;
};

const ROUTES = (Object.entries<RouteDefinition>(routes) as [RouteName, RouteDefinition][]).filter(
  ([, { scopes }]) => scopes !== 'public' && !scopes.includes('operator'),
);
/** Deletes what other calls need, so they are the last ones. */
const DESTRUCTIVE: readonly string[] = ['forgetMessage', 'forgetConversation', 'eraseUser', 'deleteWebhook'];

/** The kind of row that the id in a path names, by the beginning of the path. */
const ROWS: Readonly<Record<string, keyof Target['ids']>> = {
  '/v1/conversations/': 'conversation',
  '/v1/batches/': 'batch',
  '/v1/memories/': 'served',
  '/v1/global/memories/': 'global',
  '/v1/quarantine/': 'quarantined',
  '/v1/proposals/': 'proposal',
  '/v1/admin/keys/': 'key',
  '/v1/admin/work/': 'work',
  '/v1/consolidation/runs/': 'run',
  '/v1/apps/': 'appMemory',
  '/v1/webhooks/': 'webhook',
  '/v1/receipts/': 'receipt',
};

/** Rows in the state that a route needs, where another route changes the usual ones. */
const OTHER_ROWS: Partial<Record<RouteName, keyof Target['ids']>> = {
  restoreMemory: 'deleted',
  rejectMemory: 'doubted',
  rejectProposal: 'declined',
};

/** Routes that answer 404 for what belongs to another user, although no id of a row names it. */
const NAMED_ROWS: readonly string[] = ['getThreadSummary', 'getLangGraphCheckpoint', 'copyLangGraphThread'];

const GRAPHS = ['langgraph_threads', 'langgraph_namespaces', 'langgraph_checkpoints', 'langgraph_writes'];
const GRAPHS_OF_OTHERS = `namespace_key IN (
  SELECT n.namespace_key FROM annals.langgraph_namespaces n JOIN annals.langgraph_threads h USING (tenant_id, thread_key)
   WHERE h.user_id <> $1[1])`;
/** What the body needs beyond a scope of its route. */
const SCOPE_OF_BODY: Partial<Record<RouteName, Scope>> = { batchLangGraphStore: 'query' };

const CONCURRENCY = 16;
const CATEGORIES = ['profile', 'tasks', 'goals', 'style', 'tone', 'activity'];

const NAMES = {
  user_id: 'user',
  agent_id: 'agent',
  agent: 'agent',
  category: 'category',
  thread_id: 'thread',
  app_id: 'app',
  checkpoint_id: 'checkpoint',
} as const;

function shapeOf(schema: unknown): Record<string, unknown> {
  return (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
}

/** A request about the target that names all it can: its user, agent, category and thread, and the id of its row. */
function buildInput(name: RouteName, route: RouteDefinition, target: Target): Input {
  const kind = ROWS[Object.keys(ROWS).find((path) => route.path.startsWith(path)) ?? ''];
  const row = kind && target.ids[OTHER_ROWS[name] ?? kind];
  const fill = (schema: unknown, skipped: readonly string[] = []) =>
    Object.fromEntries(
      Object.keys(shapeOf(schema)).flatMap((field) => {
        if (field === 'id') return [[field, row]];
        if (field === 'message_id') return [[field, MESSAGE_ID]];
        if (field === 'task_id') return [[field, TASK_ID]];
        return Object.hasOwn(NAMES, field) && !skipped.includes(field)
          ? [[field, target[NAMES[field as keyof typeof NAMES]]]]
          : [];
      }),
    );
  return {
    params: fill(route.params),
    // Here an agent and a thread are filters of sources, which manually written memories do not have.
    query: fill(route.query, name === 'listMemories' ? ['agent_id', 'thread_id', 'app_id'] : ['agent_id']),
    ...(route.body ? { body: REQUEST_BODIES[name as keyof typeof REQUEST_BODIES](target) } : {}),
  };
}

function urlOf({ path }: RouteDefinition, { params, query }: Input): string {
  const values = params as Record<string, string>;
  const search = new URLSearchParams(query as Record<string, string>).toString();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(values[field]!));
  return search === '' ? filled : `${filled}?${search}`;
}

/** The status that the table of key bindings gives a call: 403, 404, or 200 for any other. */
function expectStatus({ name, route, key, target }: Call): 200 | 403 | 404 {
  const access: RouteAccess = ROUTE_ACCESS[name]!;
  const { bindings } = key;
  const given = buildInput(name, route, target);
  const names = (fields: readonly string[] = []) =>
    fields.some(
      (field) => field.split('.').reduce<unknown>((part, step) => (part as never)?.[step], given) !== undefined,
    );
  if (!(route.scopes as readonly Scope[]).some((scope) => key.scopes.includes(scope))) return 403;
  const scopeOfBody = SCOPE_OF_BODY[name];
  if (scopeOfBody !== undefined && !key.scopes.includes(scopeOfBody)) return 403;
  const rules = [
    [access.user, bindings.userId, target.user],
    [access.agent, bindings.agentId, target.agent],
    [access.categories, bindings.categories, target.category],
  ] as const;
  if (rules.some(([rule, bound]) => bound !== null && rule.effect === 'refused')) return 403;
  let isOwnRow = given.params === undefined || !('id' in given.params) || target.tenantId === key.tenantId;
  for (const [rule, bound, requested] of rules) {
    if (rule.effect !== 'limits') continue;
    const isOwn = bound === null || (Array.isArray(bound) ? canUse(bindings, requested) : bound === requested);
    const fits = rule === access.categories ? canUse(bindings, requested) : isOwn;
    if (names(rule.fields) && !fits) return 403;
    if (rule.category !== undefined && !canUse(bindings, rule.category)) return 403;
    if (rule.rows !== undefined && !fits) isOwnRow &&= !('id' in (given.params ?? {}) || NAMED_ROWS.includes(name));
  }
  return isOwnRow ? 200 : 404;
}

const describeCall = ({ name, key, target }: Call) =>
  `${name} by ${JSON.stringify([key.scopes, key.bindings])} about ${target.user}, ${target.agent}, ${target.category}`;

describe('every scope, with every binding, on every route', () => {
  let upstream: OpenAiChatServer;
  let gateway: TestGateway;
  let fixture: KeyBindingsFixture;
  let pool: ReturnType<typeof createTestPool>;
  let calls: Call[];

  beforeAll(async () => {
    upstream = await startOpenAiChatServer();
    const chat = { ANNALS_CHAT_UPSTREAM_URL: upstream.origin, ANNALS_CHAT_UPSTREAM_FREE: 'true' };
    gateway = await startGateway({ env: { ANNALS_MINDS: 'on', ...chat } });
    fixture = await KeyBindingsFixture.open(gateway);
    pool = createTestPool({ connectionString: gateway.testDatabase.admin.url });
    const ordered = ROUTES.toSorted(([one], [other]) => DESTRUCTIVE.indexOf(one) - DESTRUCTIVE.indexOf(other));
    // The second tenant has the same names as the first, so only ids of its rows make another request of them.
    const targets = fixture.targets.slice(0, 4);
    calls = ordered.flatMap(([name, route], routeTurn) =>
      fixture.keys.flatMap((key, keyTurn) =>
        takeTurns(targets, routeTurn + keyTurn).map((target): Call => ({ name, route, key, target })),
      ),
    );
  });
  afterAll(async () => {
    await pool?.end();
    await gateway?.close();
    await upstream?.close();
  });

  async function send({ name, route, key, target }: Call) {
    const input = buildInput(name, route, target);
    const answer = await gateway.send(key.text, route.method, urlOf(route, input), {
      body: input.body,
      // As a client of MCP has to; other routes return JSON regardless.
      headers: { accept: 'application/json, text/event-stream' },
    });
    return { ...answer, text: JSON.stringify(answer.body) };
  }

  /** Several at once: calls of which none changes anything. */
  async function sendAll(all: readonly Call[], check: (call: Call, answer: { status: number; text: string }) => void) {
    for (let from = 0; from < all.length; from += CONCURRENCY) {
      await Promise.all(all.slice(from, from + CONCURRENCY).map(async (call) => check(call, await send(call))));
    }
  }

  /** A digest of the rows of each table that a condition selects; `$1` is a list of names. */
  async function digest(conditions: Readonly<Record<string, string>>, names: readonly string[] = []) {
    const digests: Record<string, string> = {};
    for (const [table, where] of Object.entries(conditions)) {
      const { rows } = await pool.query<{ digest: string }>(
        `SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS digest
           FROM annals.${table} t WHERE $1::text[] IS NOT NULL AND ${where}`,
        [names],
      );
      digests[table] = rows[0]!.digest;
    }
    return digests;
  }

  /** Every table but those in which the gateway records requests. */
  async function listTables(withColumn = 'tenant_id'): Promise<string[]> {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
              USING (table_schema, table_name)
        WHERE table_schema = 'annals' AND t.table_type = 'BASE TABLE' AND c.column_name = $1
          AND table_name NOT IN ('events', 'memory_access') ORDER BY 1`,
      [withColumn],
    );
    return rows.map(({ name }) => name);
  }

  /** What no write of a key with these bindings may change. */
  async function digestForeign({ userId, agentId, categories }: BoundKey['bindings']) {
    if (userId === null && agentId === null && categories === null) return null;
    const all = (...tables: string[]) => Object.fromEntries(tables.map((table) => [table, 'true']));
    const own = CATEGORIES.filter((category) => canUse({ userId, agentId, categories }, category));
    const narrow = agentId !== null || categories !== null;
    return [
      // Keys that are bound to the user are among the rows of users below: an erasure revokes them.
      await digest({ ...all('budgets', 'tenants'), api_keys: userId === null ? 'true' : 'user_id IS NULL' }),
      // Erased users leave their spending without its user, and their history under a pseudonym.
      userId &&
        (await digest(
          Object.fromEntries(
            (await listTables('user_id')).map((table) => [
              table,
              `user_id <> $1[1] AND user_id NOT LIKE 'pseudonym:%'`,
            ]),
          ),
          [userId],
        )),
      userId && (await digest(Object.fromEntries(GRAPHS.slice(1).map((table) => [table, GRAPHS_OF_OTHERS])), [userId])),
      narrow &&
        (await digest(
          all(
            'checkpoints',
            'checkpoint_versions',
            ...GRAPHS,
            'langgraph_items',
            'langgraph_item_texts',
            'langgraph_item_vectors',
          ),
        )),
      narrow && !own.includes('profile') && (await digest(all('user_contexts', 'context_proposals'))),
      narrow && (await digest({ memories: 'NOT category = ANY ($1)' }, own)),
      agentId && (await digest({ conversations: 'agent_id <> $1[1]', messages: 'agent_id <> $1[1]' }, [agentId])),
      categories && (await digest(all('conversations', 'messages', 'batches'))),
    ];
  }

  it('covers both outcomes of each binding', () => {
    const expected = new Map(calls.map((call) => [call, expectStatus(call)]));
    const seen = new Set([...expected].map(([{ name }, status]) => `${name} ${status}`));
    for (const [name] of ROUTES) expect([...seen]).toEqual(expect.arrayContaining([`${name} 403`, `${name} 200`]));
    expect(calls.length).toBe(ROUTES.length * 28 * sized(2, 4));
  });

  it('refuses what the table refuses, tells nothing of others, and changes nothing', async () => {
    const refused = calls.filter((call) => expectStatus(call) !== 200);
    const everything = Object.fromEntries((await listTables()).map((table) => [table, 'true']));
    const before = await digest(everything);
    const wrong: string[] = [];
    await sendAll(refused, (call, { status, text }) => {
      const strays = fixture.marked.filter(({ marker }) => text.includes(marker)).map(({ what }) => what);
      const expected = expectStatus(call);
      if (status !== expected || strays.length > 0)
        wrong.push(`${describeCall(call)}: ${status}, not ${expected} ${strays.join(', ')}`);
    });
    expect(wrong).toEqual([]);
    expect(await digest(everything)).toEqual(before);
  });

  it('answers reads with nothing that the key may not see', async () => {
    const reads = calls.filter((call) => isRead(call) && expectStatus(call) === 200);
    const wrong: string[] = [];
    const found = new Set<string>();
    await sendAll(reads, (call, { status, text }) => {
      const strays = fixture.findStrays(
        text,
        call.key,
        urlOf(call.route, buildInput(call.name, call.route, call.target)),
      );
      if (status !== 200 || strays.length > 0) wrong.push(`${describeCall(call)}: ${status} ${strays.join(', ')}`);
      for (const { marker, what } of fixture.marked) if (text.includes(marker)) found.add(what);
    });
    expect(wrong).toEqual([]);
    // The answers do contain what was marked: nothing is missed because it appears nowhere.
    expect([...found].toSorted()).toEqual([...new Set(fixture.marked.map(({ what }) => what))].toSorted());
  });

  it('lets writes reach only what the key is bound to, and answers with nothing that it may not read', async () => {
    const writes = calls.filter((call) => !isRead(call) && expectStatus(call) === 200);
    const wrong: string[] = [];
    const succeeded = new Set<string>();
    const groups = Map.groupBy(writes, ({ name, key }) => JSON.stringify([DESTRUCTIVE.includes(name), key.bindings]));
    for (const group of [...groups].toSorted(([one], [other]) => one.localeCompare(other)).map(([, of]) => of)) {
      const { bindings } = group[0]!.key;
      const before = await digestForeign(bindings);
      for (const call of group) {
        const { status, text } = await send(call);
        const strays = fixture.findStrays(
          text,
          call.key,
          urlOf(call.route, buildInput(call.name, call.route, call.target)),
        );
        // Earlier calls may have made the same change, or deleted what this one is about.
        // An erasure ends the keys that are bound to the person, this one too.
        const hasEnded = status === 401 && call.name === 'eraseUser' && bindings.userId !== null;
        const isExpected = (status >= 200 && status < 300) || status === 404 || status === 409 || hasEnded;
        if (!isExpected || strays.length > 0)
          wrong.push(`${describeCall(call)}: ${status} ${strays.join(', ')} ${text.slice(0, 200)}`);
        if (status < 300) succeeded.add(call.name);
      }
      expect({ bindings, foreign: await digestForeign(bindings) }).toEqual({ bindings, foreign: before });
    }
    expect(wrong).toEqual([]);
    // There is no replaced summary to restore: apps/gateway/src/threads/summaries.int-spec.ts shows who may.
    const possible = new Set(writes.map(({ name }) => name).filter((name) => name !== 'restoreSummary'));
    expect([...succeeded].toSorted()).toEqual([...possible].toSorted());
  });

  it('gives the whole pool of a shared app to a key that is bound to one of its users, in the context alone', async () => {
    const tenantId = await gateway.makeTenant('sharing');
    const admin = await gateway.makeKey({ tenantId });
    const install = (shared: boolean) =>
      gateway.send(admin, 'PUT', '/v1/apps/board', { body: { name: 'Board', shared } });
    const converse = async (user: string) => {
      const messages = [{ role: 'user', content: 'I like tea.' }];
      const body = { user_id: user, app_id: 'board', end: true, messages };
      const posted = await gateway.send<ConversationAccepted>(admin, 'POST', '/v1/conversations', { body });
      return fixture.remember({ tenantId, user, agent: 'planner' }, posted.body.conversation_id);
    };
    await install(false);
    const [own, other] = [await converse('ann'), await converse('bea')];
    const bound = await gateway.makeKey({ tenantId, userId: 'ann', scopes: ['query', 'ingest'] });
    const readContext = async () =>
      (await gateway.send<AppContextBody>(bound, 'GET', '/v1/apps/board/context')).body.memory_ids.toSorted();
    expect(await readContext()).toEqual([own]);
    await install(true);
    expect(await readContext()).toEqual([own, other].toSorted());
    const { body } = await gateway.send<{ items: AppMemoryBody[] }>(bound, 'GET', '/v1/apps/board/memories');
    expect(body.items.map(({ id }) => id)).toEqual([own]);
    const foreign = await gateway.send(bound, 'DELETE', `/v1/apps/board/memories/${other}`);
    const asked = await gateway.send(bound, 'GET', '/v1/apps/board/context?user_id=bea');
    expect([foreign.status, asked.status]).toEqual([404, 403]);
  });
});

function isRead({ name, route }: Call): boolean {
  return route.method === 'GET' || route.readOnly === true || name === 'callMcp' || name === 'batchLangGraphStore';
}
