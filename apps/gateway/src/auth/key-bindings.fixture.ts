import { type ConversationAccepted, GLOBAL_OWNER, type Proposal, type Scope } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import {
  endMindRun,
  enqueueWork,
  failBatch,
  failWork,
  loadAppMemorySubject,
  readSubjectOfUser,
  loadSummarizableMessages,
  startMindRun,
  observeContext,
  openReservation,
  settleReservation,
  writeAppMemory,
  writeSummaries,
} from '@annals/storage';
import { randomBytes } from 'node:crypto';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import type { TestGateway } from '../fixtures/start-gateway.fixture.js';
import type { Bindings } from './principal.js';

/** Something stored that may appear in answers only for certain keys, found in any text by its marker. */
export interface Marked {
  readonly marker: string;
  readonly what: string;
  readonly tenantId: string;
  /** {@link GLOBAL_OWNER} for what every user may read; undefined for what belongs to the whole tenant. */
  readonly user?: string;
  /** Of what was posted in the name of an agent. */
  readonly agent?: string;
  /** Of what belongs to a category; undefined for what can belong to any. */
  readonly category?: string;
  /** Keys with one of these scopes may read it. */
  readonly readers: readonly Scope[];
}

const MEMORY_KINDS = ['served', 'deleted', 'quarantined', 'doubted'] as const;
type IdKind =
  | (typeof MEMORY_KINDS)[number]
  | 'global'
  | 'conversation'
  | 'batch'
  | 'proposal'
  | 'declined'
  | 'key'
  | 'work'
  | 'run'
  | 'appMemory'
  | 'webhook'
  | 'receipt';

/** The caller's id of the message of each conversation. */
export const MESSAGE_ID = 'first';

/** What a request is about: the names that it sends, and the ids of rows which have these owners. */
export interface Target {
  readonly tenantId: string;
  readonly user: string;
  readonly agent: string;
  readonly category: string;
  readonly thread: string;
  readonly app: string;
  readonly checkpoint: string;
  readonly ids: Readonly<Record<IdKind, string>>;
}

export interface BoundKey {
  readonly text: string;
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
  readonly bindings: Bindings;
}

/** The newest checkpoint of each thread of LangGraph, and the one before. */
const CHECKPOINT = 'c2';
const EARLIER_CHECKPOINT = 'c1';

/** What wrote behind each of them. */
export const TASK_ID = 'task';

/** The same names in each tenant; the agents' allowlists contain the categories beside them. */
const OWNERS = [
  { user: 'ada', agent: 'planner', category: 'tasks', thread: 't1', app: 'calendar', checkpoint: CHECKPOINT },
  { user: 'ben', agent: 'stylist', category: 'style', thread: 't2', app: 'mail', checkpoint: CHECKPOINT },
  { user: 'ada', agent: 'stylist', category: 'tone', thread: 't3', app: 'notes', checkpoint: CHECKPOINT },
] as const;

const SCOPES: readonly (readonly Scope[])[] = [['ingest'], ['query'], ['admin'], ['ingest', 'query', 'admin']];

const UNBOUND: Bindings = { userId: null, agentId: null, categories: null };
const BINDINGS: readonly Partial<Bindings>[] = [
  {},
  { userId: 'ada' },
  { agentId: 'planner' },
  { categories: ['tasks'] },
  { userId: 'ada', agentId: 'planner' },
  { agentId: 'planner', categories: ['tasks', 'goals'] },
  { userId: 'ada', categories: ['profile', 'tone'] },
];

/** Everything of two tenants that a key can reach, and the keys of the first: every scope with every binding. */
export class KeyBindingsFixture {
  readonly marked: Marked[] = [];
  readonly targets: Target[] = [];
  readonly keys: BoundKey[] = [];
  private count = 0;

  private constructor(private readonly gateway: TestGateway) {}

  static async open(gateway: TestGateway): Promise<KeyBindingsFixture> {
    const fixture = new KeyBindingsFixture(gateway);
    for (const name of ['first', 'second']) await fixture.fill(await MemoryFixture.open(gateway, name));
    await fixture.makeKeys(fixture.targets[0]!.tenantId);
    return fixture;
  }

  /** What `text` contains although a key may not see it, apart from ids that its request named. */
  findStrays(text: string, key: BoundKey, requested: string): string[] {
    return this.marked
      .filter((each) => text.includes(each.marker) && !mayRead(key, each) && !requested.includes(each.marker))
      .map(({ what }) => what);
  }

  private mark(about: Omit<Marked, 'marker'>, marker = `mk${++this.count}x`): string {
    this.marked.push({ ...about, marker });
    return marker;
  }

  private async fill(memories: MemoryFixture): Promise<void> {
    const { tenantId } = memories;
    const name = this.mark({ what: 'a key', tenantId, readers: ['admin'] });
    const body = { name, scopes: ['query'] };
    const { body: key } = await this.gateway.send<{ id: string }>(memories.key, 'POST', '/v1/admin/keys', { body });
    for (const owner of OWNERS) {
      const ids = {
        ...(await this.addMemories(memories, owner)),
        global: await this.addGlobalMemory(memories, owner),
        ...(await this.postConversation(memories, owner)),
        key: key.id,
        ...(await this.propose(memories, owner)),
        work: await this.addFailedWork(tenantId, owner.user),
        run: await this.addRun(tenantId, owner.user),
        webhook: await this.addWebhook(memories),
        receipt: await this.eraseSomebody(memories),
      };
      await this.describeUser(memories, owner);
      await this.saveGraph(memories, owner);
      await this.spend(tenantId, owner.user);
      this.targets.push({ tenantId, ...owner, ids });
    }
  }

  private async addMemories(memories: MemoryFixture, { user, category }: (typeof OWNERS)[number]) {
    const ids: Partial<Record<(typeof MEMORY_KINDS)[number], string>> = {};
    for (const kind of MEMORY_KINDS) {
      const marker = this.mark({
        what: `a ${kind} memory`,
        tenantId: memories.tenantId,
        user,
        category,
        readers: kind === 'served' ? ['query', 'admin'] : ['admin'],
      });
      const isQuarantined = kind === 'quarantined' || kind === 'doubted';
      const fields = { category, quarantineReason: isQuarantined ? 'quote_not_found' : null };
      const id = await memories.addMemory(user, `Statement ${marker} about zephyr`, fields);
      if (kind === 'deleted') await memories.change(user, [{ kind: 'delete', memoryId: id, by: 'user' }]);
      ids[kind] = id;
    }
    return ids as Record<(typeof MEMORY_KINDS)[number], string>;
  }

  private async addGlobalMemory(memories: MemoryFixture, { category }: (typeof OWNERS)[number]): Promise<string> {
    const about = { what: 'a global memory', user: GLOBAL_OWNER, category, readers: ['query', 'admin'] } as const;
    const marker = this.mark({ ...about, tenantId: memories.tenantId });
    return memories.addMemory(GLOBAL_OWNER, `Statement ${marker} about zephyr`, { category });
  }

  private async postConversation(
    { tenantId, key }: MemoryFixture,
    { user, agent, thread, app }: (typeof OWNERS)[number],
  ) {
    const owner = { tenantId, user, agent };
    const said = this.mark({ ...owner, what: 'a turn', category: 'activity', readers: ['ingest', 'query', 'admin'] });
    const { body } = await this.gateway.send<ConversationAccepted>(key, 'POST', '/v1/conversations', {
      body: {
        user_id: user,
        thread_id: thread,
        agent_id: agent,
        app_id: app,
        messages: [{ id: MESSAGE_ID, role: 'user', content: `Word ${said} of zephyr` }],
      },
    });
    const batch = body.batch_ids[0]!;
    this.mark({ ...owner, what: 'a batch', readers: ['ingest', 'admin'] }, batch);
    await this.gateway.database.inTenant(tenantId, (tx) =>
      failBatch(tx, {
        batchId: batch,
        kind: 'extraction',
        generation: 1,
        code: 'timeout',
        message: 'Try again.',
        now: this.gateway.infrastructure.clock.now(),
      }),
    );
    await this.summarize(owner, body.conversation_id);
    await this.gateway.send(key, 'PUT', `/v1/apps/${app}`, { body: { name: app } });
    return { conversation: body.conversation_id, batch, appMemory: await this.remember(owner, body.conversation_id) };
  }

  /** Writes the memory that an app has of a conversation of theirs, as the worker does. */
  async remember(
    owner: { readonly tenantId: string; readonly user: string; readonly agent: string },
    conversationId: string,
  ): Promise<string> {
    const { ids, clock } = this.gateway.infrastructure;
    const marker = this.mark({ ...owner, what: 'an app memory', readers: ['query', 'admin'] });
    const id = ids.next();
    await this.gateway.database.inTenant(owner.tenantId, async (tx) => {
      const { userId, appId, lastSeq: asOfSeq } = (await loadAppMemorySubject(tx, conversationId))!;
      const [message] = await loadSummarizableMessages(tx, conversationId, -1);
      const made = { content: `The user said ${marker}.`, messageIds: [message!.id], provider: 'local', model: null };
      const fresh = { id, appId: appId!, userId, conversationId, asOfSeq, ...made };
      await writeAppMemory(tx, { fresh, replaces: null, plan: null, state: 'active', now: clock.now() });
    });
    return id;
  }

  private async summarize(
    owner: { readonly tenantId: string; readonly user: string; readonly agent: string },
    conversationId: string,
  ): Promise<void> {
    const { ids, clock } = this.gateway.infrastructure;
    const marker = this.mark({ ...owner, what: 'a summary', readers: ['query', 'admin'] });
    await this.gateway.database.inTenant(owner.tenantId, async (tx) => {
      const [message] = await loadSummarizableMessages(tx, conversationId, -1);
      const { id: messageId, seq, saidAt } = message!;
      const place = { tier: 'L3', position: 0, level: 'BRIEF', kind: 'conversation', recipe: 'r' } as const;
      const covered = { fromSeq: seq, toSeq: seq, coveredTokens: 100, coveredMessages: 1 };
      const step = { ...place, ...covered, fingerprint: 'f', replaces: null };
      const sentences = [{ text: `The user said ${marker}.`, messageIds: [messageId] }];
      const made = { id: ids.next(), step, sentences, tokens: 8, provider: 'local', model: null, lastSaidAt: saidAt };
      await writeSummaries(tx, conversationId, { made: [made], tombstones: [], now: clock.now() });
    });
  }

  /** Two proposals, one to accept and one to decline. */
  private async propose({ tenantId, key }: MemoryFixture, { user }: (typeof OWNERS)[number]) {
    const { clock, ids } = this.gateway.infrastructure;
    const messages = ['My pronouns are she/her.', 'I live in Lisbon.'].map((content) => ({
      id: ids.next(),
      role: 'user',
      actorId: null,
      content,
      saidAt: clock.now(),
    }));
    await this.gateway.database.inTenant(tenantId, (tx) =>
      observeContext(tx, { userId: user, messages, memories: [] }, { clock, ids, randomBytes }),
    );
    const { body } = await this.gateway.send<{ items: Proposal[] }>(key, 'GET', `/v1/users/${user}/proposals`);
    const [proposal, declined] = body.items.map(({ id }) => {
      this.mark({ what: 'a proposal', tenantId, user, category: 'profile', readers: ['query', 'admin'] }, id);
      return id;
    });
    return { proposal: proposal!, declined: declined! };
  }

  private async describeUser(
    { tenantId, key }: MemoryFixture,
    { user, thread }: (typeof OWNERS)[number],
  ): Promise<void> {
    const goal = this.mark({ what: 'the context', tenantId, user, category: 'profile', readers: ['query', 'admin'] });
    const state = this.mark({ what: 'a checkpoint', tenantId, user, readers: ['ingest', 'query', 'admin'] });
    await this.gateway.send(key, 'PUT', `/v1/users/${user}/context`, { body: { goals: [goal] } });
    await this.gateway.send(key, 'PUT', `/v1/checkpoints/${user}/${thread}`, { body: { data: state } });
    const item = this.mark({ what: 'an item of a store', tenantId, user, readers: ['query', 'admin'] });
    const put = { op: 'put', namespace: ['notes'], key: thread, value: { note: item } };
    await this.gateway.send(key, 'POST', '/v1/langgraph/store/batch', { body: { user_id: user, operations: [put] } });
  }

  /** A thread of LangGraph: what it holds may be of any agent and category. */
  private async saveGraph({ tenantId, key }: MemoryFixture, { user, thread }: (typeof OWNERS)[number]): Promise<void> {
    const mark = (what: string) => this.mark({ what, tenantId, user, readers: ['ingest', 'query', 'admin'] });
    const path = `/v1/langgraph/threads/${thread}/checkpoints`;
    for (const [id, parent] of [
      [EARLIER_CHECKPOINT, null],
      [CHECKPOINT, EARLIER_CHECKPOINT],
    ] as const) {
      const state = { user_id: user, parent_id: parent, state: mark('a state of a graph') };
      const metadata = { source: mark('metadata of a state of a graph') };
      await this.gateway.send(key, 'PUT', `${path}/${id}`, { body: { ...state, metadata } });
      const write = { idx: 0, channel: 'messages', type: 'json', value: mark('a write of a task of a graph') };
      await this.gateway.send(key, 'PUT', `${path}/${id}/writes/${TASK_ID}`, {
        body: { user_id: user, writes: [write] },
      });
    }
  }

  private async addFailedWork(tenantId: string, userId: string): Promise<string> {
    const { ids, clock } = this.gateway.infrastructure;
    const now = clock.now();
    const [row] = await this.gateway.database.inTenant(tenantId, async (tx) => {
      const subjectId = (await readSubjectOfUser(tx, userId))!;
      const work = { kind: 'insights', subjectId } as const;
      await enqueueWork(tx, [{ ...work, availableAt: now, trace: null }], { now, ids });
      await failWork(tx, { ...work, generation: 1, code: 'timeout', now });
      return tx.query<{ id: string }>('SELECT id FROM work WHERE subject_id = $1 AND kind = $2', [
        subjectId,
        work.kind,
      ]);
    });
    return this.mark({ what: 'work', tenantId, user: userId, readers: ['admin'] }, row!.id);
  }

  private async addRun(tenantId: string, userId: string): Promise<string> {
    const { ids, clock } = this.gateway.infrastructure;
    const [id, now] = [ids.next(), clock.now()];
    await this.gateway.database.inTenant(tenantId, async (tx) => {
      const subjectId = await readSubjectOfUser(tx, userId);
      const run = { id, kind: 'consolidation', subjectId: subjectId!, userId, isDryRun: false } as const;
      await startMindRun(tx, { ...run, trigger: 'schedule', startedAt: now });
      await endMindRun(tx, { id, state: 'done', watermark: '1', counts: {}, endedAt: now });
    });
    return this.mark({ what: 'a run of consolidation', tenantId, user: userId, readers: ['admin'] }, id);
  }

  /** The marker is its id. */
  private async addWebhook({ tenantId, key }: MemoryFixture): Promise<string> {
    const id = this.mark({ what: 'a webhook', tenantId, readers: ['admin'] });
    const body = { id, url: 'https://example.com/hook', enabled: false };
    await this.gateway.send(key, 'PUT', '/v1/webhooks', { body });
    return id;
  }

  /** The marker is the id of the receipt. */
  private async eraseSomebody(memories: MemoryFixture): Promise<string> {
    const { tenantId, key } = memories;
    await memories.addMemory('gone', 'The user likes tea.');
    const { body } = await this.gateway.send<{ id: string }>(key, 'DELETE', '/v1/users/gone');
    return this.mark({ what: 'a receipt', tenantId, readers: ['admin'] }, body.id);
  }

  /** A call of a model whose name is the marker. */
  private async spend(tenantId: string, userId: string): Promise<void> {
    const { ids, clock } = this.gateway.infrastructure;
    const [id, now] = [ids.next(), clock.now()];
    const model = this.mark({ what: 'usage', tenantId, user: userId, readers: ['admin'] });
    const call = {
      operation: 'extraction',
      provider: 'claude',
      amountMicroUsd: 9_000,
      fence: null,
      generation: null,
    } as const;
    const day = new Date(now).toISOString().slice(0, 10);
    await this.gateway.database.inTenant(tenantId, async (tx) => {
      await openReservation(tx, { ...call, id, userId, model, day, batchId: null, now, expiresAt: now + 60_000 });
      const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false };
      await settleReservation(tx, { reservationId: id, outcome: 'ok', usage, costMicroUsd: 7, durationMs: 8, now });
    });
  }

  private async makeKeys(tenantId: string): Promise<void> {
    for (const scopes of SCOPES) {
      for (const partial of BINDINGS) {
        const bindings = { ...UNBOUND, ...partial };
        const options = Object.entries(partial) as [string, never][];
        const text = await this.gateway.makeKey({ tenantId, scopes, ...Object.fromEntries(options) });
        this.keys.push({ text, tenantId, scopes, bindings });
      }
    }
  }
}

/** The categories that a key may use, without those that only an agent named by the request takes away. */
export function canUse({ agentId, categories }: Bindings, category: string): boolean {
  const ofAgent = agentId === null ? null : DEFAULT_CATEGORY_CONFIG.allowlists[agentId]!;
  return (categories?.includes(category) ?? true) && (ofAgent?.includes(category) ?? true);
}

function mayRead({ tenantId, scopes, bindings }: BoundKey, about: Marked): boolean {
  if (about.tenantId !== tenantId || !about.readers.some((scope) => scopes.includes(scope))) return false;
  if (bindings.userId !== null && about.user !== bindings.userId && about.user !== GLOBAL_OWNER) return false;
  const isOwnConversation =
    about.agent !== undefined && about.agent === bindings.agentId && bindings.categories === null;
  if (isOwnConversation) return true;
  if (about.category !== undefined) return canUse(bindings, about.category);
  return bindings.agentId === null && bindings.categories === null;
}
