import { GLOBAL_OWNER } from '@annals/contracts';
import { DEFAULT_CATEGORY_CONFIG, type NewMemory, SeededRng } from '@annals/domain';
import { MemoryFixture } from '../fixtures/memory.fixture.js';
import type { KeyOptions, TestGateway } from '../fixtures/start-gateway.fixture.js';

export const USERS = ['ada', 'ben'] as const;
export const THREADS = ['t1', 't2'] as const;
export const CATEGORIES = ['profile', 'goals', 'preferences', 'tone', 'tasks', 'procedural'] as const;
export const AGENTS = Object.keys(DEFAULT_CATEGORY_CONFIG.allowlists);
/** The thread, user, agent and app of the turns. */
export const THREAD_SCOPES = {
  t1: { agent_id: 'planner', run_id: 'r1', app_id: 'p1', actor_id: 'x', role: 'user' },
  t2: { agent_id: 'stylist', run_id: 'r2', app_id: 'p2', actor_id: 'y', role: 'assistant' },
} as const;
type Thread = keyof typeof THREAD_SCOPES;

/** A memory or turn of the test data, which is identified in any response by its marker. */
export interface TestItem {
  readonly kind: 'memory' | 'turn';
  readonly id: string;
  readonly marker: string;
  readonly tenantId: string;
  /** {@link GLOBAL_OWNER} of a global memory. */
  readonly user: string;
  readonly thread: Thread | null;
  readonly category: string;
  readonly type: NewMemory['type'] | 'turn';
  readonly importance: number;
  readonly pinned: boolean;
  readonly state: 'served' | 'deleted' | 'quarantined' | 'superseded';
  /** Of a turn: a memory that a user deleted cites it. */
  readonly isHidden: boolean;
}

let markers = 0;
const nextMarker = () => `mk${++markers}x`;

/** Two tenants that use the same names for everything, each with every kind of memory. */
export async function buildTestData(gateway: TestGateway): Promise<{ fixtures: MemoryFixture[]; items: TestItem[] }> {
  const fixtures = [await MemoryFixture.open(gateway, 'one'), await MemoryFixture.open(gateway, 'two')];
  const items: TestItem[] = [];
  for (const [index, fixture] of fixtures.entries()) {
    for (const user of USERS)
      items.push(...(await populate(gateway, fixture, user, new SeededRng(index * 10 + user.length))));
    items.push(...(await remember(fixture, GLOBAL_OWNER, [], new SeededRng(index))).memories);
  }
  return { fixtures, items };
}

async function populate(
  gateway: TestGateway,
  fixture: MemoryFixture,
  user: string,
  rng: SeededRng,
): Promise<TestItem[]> {
  const turns = (await Promise.all(THREADS.map((thread) => postMessages(gateway, fixture, user, thread)))).flat();
  const { memories, hidden } = await remember(fixture, user, turns, rng);
  return [...memories, ...turns.map((turn) => ({ ...turn, isHidden: hidden.has(turn.id) }))];
}

/** Memories of every category and state, on these turns; and the turns that a deleted one hides. */
async function remember(
  fixture: MemoryFixture,
  user: string,
  turns: readonly TestItem[],
  rng: SeededRng,
): Promise<{ memories: TestItem[]; hidden: ReadonlySet<string> }> {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(rng.nextFloat() * of.length)]!;
  const threads = turns.length === 0 ? ([null] as const) : (['t1', 't2', null] as const);
  const free = { t1: turns.filter(({ thread }) => thread === 't1'), t2: turns.filter(({ thread }) => thread === 't2') };
  const memories: TestItem[] = [];
  const hidden = new Set<string>();
  for (const category of CATEGORIES) {
    for (const state of ['served', 'served', 'served', 'served', 'deleted', 'quarantined', 'superseded'] as const) {
      const thread = pick<Thread | null>(threads);
      const source = thread && pick(free[thread]);
      const marker = nextMarker();
      const type: NewMemory['type'] =
        category === 'procedural' ? 'procedural' : pick(['semantic', 'episodic', 'insight'] as const);
      const fields = { category, type, importance: pick([1, 2, 3, 4, 5]), pinned: rng.nextFloat() < 0.3 };
      const id = await fixture.addMemory(user, `Statement ${marker} about zephyr`, {
        ...fields,
        quarantineReason: state === 'quarantined' ? 'quote_not_found' : null,
        sources: source ? [{ messageId: source.id, quote: 'zephyr' }] : [],
      });
      const made = { kind: 'memory', tenantId: fixture.tenantId, user, thread, isHidden: false, ...fields } as const;
      memories.push({ ...made, id, marker, state });
      if (state === 'deleted') {
        await fixture.change(user, [{ kind: 'delete', memoryId: id, by: 'user' }]);
        if (source) hidden.add(source.id);
      }
      if (state !== 'superseded') continue;
      const successor = nextMarker();
      const memory = fixture.statement(`Later statement ${successor} about zephyr`, fields);
      const [next] = await fixture.change(user, [{ kind: 'supersede', memoryId: id, memory }]);
      memories.push({ ...made, id: next!, marker: successor, state: 'served' });
    }
  }
  // Links across categories and states: from memories that a caller may see to some that it may not.
  await fixture.linkAll(
    user,
    memories.map(({ id }) => id),
  );
  return { memories, hidden };
}

async function postMessages(
  gateway: TestGateway,
  fixture: MemoryFixture,
  user: string,
  thread: Thread,
): Promise<TestItem[]> {
  const { role, actor_id, ...scope } = THREAD_SCOPES[thread];
  const said = Array.from({ length: 4 }, () => nextMarker());
  const messages = said.map((marker) => ({ id: marker, role, actor_id, content: `Word ${marker} of zephyr` }));
  const posted = await gateway.send<{ conversation_id: string }>(fixture.key, 'POST', '/v1/conversations', {
    body: { user_id: user, thread_id: thread, ...scope, messages },
  });
  const path = `/v1/conversations/${posted.body.conversation_id}?limit=200`;
  const { body } = await gateway.send<{ messages: { id: string; content: string }[] }>(fixture.key, 'GET', path);
  return said.map((marker) => ({
    kind: 'turn',
    id: body.messages.find(({ content }) => content.includes(marker))!.id,
    marker,
    tenantId: fixture.tenantId,
    user,
    thread,
    category: 'activity',
    type: 'turn',
    importance: 2,
    pinned: false,
    state: 'served',
    isHidden: false,
  }));
}

export type Binding = Omit<KeyOptions, 'tenantId' | 'scopes' | 'expiresAt'>;

/** Categories that a key may use. */
export function reachOf({ agentId, categories }: Binding, agent?: string): (category: string) => boolean {
  const lists = [agentId, agent].flatMap((name) =>
    name === undefined ? [] : [DEFAULT_CATEGORY_CONFIG.allowlists[name]!],
  );
  return (category) => (categories?.includes(category) ?? true) && lists.every((list) => list.includes(category));
}
