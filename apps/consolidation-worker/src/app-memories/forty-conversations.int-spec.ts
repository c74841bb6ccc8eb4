import { checkAppMemory, SeededRng } from '@annals/domain';
import { type Database, DatabaseUnavailableError, type Tx } from '@annals/storage';
import {
  type Behaviour,
  createTestDatabase,
  type FakeModels,
  type FakeRequest,
  startFakeModels,
  type TestDatabase,
} from '@annals/testing';
import { answerDecision, answerMemory, AppMemoryFixture, askModels, readTask } from './app-memories.fixture.js';

const CONVERSATIONS = 40;
const AT_ONCE = 8;

/** What the model does in every third answer to a task, one after another. */
const MISDEEDS = ['error', 'hang', 'no_json', 'lie'] as const;

const say = (at: number) => `I own ${at + 100} stamps of series ${at + 500}.`;

describe('forty conversations of one app and user', () => {
  let test: TestDatabase;
  let models: FakeModels;
  let fixture: AppMemoryFixture;
  const rng = new SeededRng(40);
  const asked = { creation: 0, compaction: 0 };

  const read = ({ userTexts }: FakeRequest) => {
    const [, stamps, series] = /I own (\d+) stamps of series (\d+)/u.exec(userTexts[0]!) ?? [];
    return `The user owns ${stamps} stamps of series ${series}.`;
  };
  /** Merges the new one with the first, or lets one of the eleven go. */
  const decide = ({ userTexts }: FakeRequest): string => {
    const [first, fresh] = ['a1', 'n1'].map(
      (label) => new RegExp(`^${label} \\(created [^)]+\\): (.*)$`, 'mu').exec(userTexts[0]!)![1]!,
    );
    const merged = `${first} ${fresh}`;
    return rng.nextFloat() < 0.5 && merged.length <= 400
      ? answerDecision('edit', 'a1', merged)
      : answerDecision('delete', `a${1 + Math.floor(rng.nextFloat() * 10)}`);
  };
  const behave = (request: FakeRequest): Behaviour => {
    const task = readTask(request);
    const nth = asked[task]++;
    switch (nth % 3 === 2 ? MISDEEDS[Math.floor(nth / 3) % MISDEEDS.length] : null) {
      case 'error':
        return { kind: 'error', status: 500 };
      case 'hang':
        return { kind: 'hang' };
      case 'no_json':
        return { kind: 'answer', text: 'Let me think.' };
      case 'lie':
        return {
          kind: 'answer',
          text:
            task === 'creation'
              ? answerMemory('The user owns 7 horses.')
              : answerDecision('edit', 'a1', 'Some stamps.'),
        };
      default:
        return { kind: 'answer', text: task === 'creation' ? answerMemory(read(request)) : decide(request) };
    }
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    models = await startFakeModels();
    models.behave(behave);
    fixture = await AppMemoryFixture.open(test, askModels(models));
    await fixture.install();
  });
  afterAll(async () => {
    await fixture?.close();
    await models?.close();
    await test?.drop();
  });

  it('have never more than ten memories and ten in the end, each grounded, and cost what was received', async () => {
    const counted: number[] = [];
    let writes = 0;
    const { database } = fixture.infrastructure;
    /** Counts behind each write of a memory, in its transaction; some lose their connection before or behind the commit. */
    const inTenant: typeof database.inTenant = async (tenantId, work) => {
      let hasWritten = false;
      let loses: 'before' | 'behind' | null = null;
      const lose = (when: typeof loses) => {
        if (loses === when && hasWritten) throw new DatabaseUnavailableError(new Error('The connection was lost.'));
      };
      const result = await database.inTenant(tenantId, async (tx) => {
        const value = await work(
          new Proxy(tx, {
            get(target, name) {
              const member = Reflect.get(target, name, target) as unknown;
              if (typeof member !== 'function') return member;
              return (...given: unknown[]) => {
                if (name === 'execute' && String(given[0]).includes('INSERT INTO app_memories')) hasWritten = true;
                return Reflect.apply(member, target, given) as unknown;
              };
            },
          }),
        );
        if (hasWritten) {
          counted.push(await countActive(tx));
          writes += 1;
          if (writes % 5 === 0) loses = 'before';
          if (writes % 7 === 0) loses = 'behind';
        }
        lose('before');
        return value;
      });
      lose('behind');
      return result;
    };
    const unsteady: Database = Object.assign(Object.create(database) as Database, { inTenant });

    const ids: string[] = [];
    for (let from = 0; from < CONVERSATIONS; from += AT_ONCE) {
      const ended = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => fixture.end([say(from + index)])));
      ids.push(...ended);
      await Promise.all(ended.map((id) => fixture.settle(id, { database: unsteady })));
    }

    expect(ids).toHaveLength(CONVERSATIONS);
    expect(writes).toBeGreaterThan(CONVERSATIONS / 2);
    expect(Math.max(...counted)).toBe(10);
    const memories = await fixture.listMemories();
    expect(memories.filter(({ state }) => state === 'active')).toHaveLength(10);
    expect(memories.filter(({ state }) => state === 'pending')).toEqual([]);
    for (const [content, said] of await listGrounds()) {
      const sources = said.map((text) => ({ content: text, saidAt: fixture.clock.now() }));
      expect([content, checkAppMemory(content, sources).filter((fault) => fault !== 'sentences')]).toEqual([
        content,
        [],
      ]);
    }
    const ledger = await fixture.countLedger();
    const received = Object.groupBy(models.journal.generated, ({ request }) => readTask(request));
    expect(ledger).toEqual({
      app_compaction: received.compaction!.length,
      app_memory: received.creation!.length,
    });
    const failed = new Set(
      fixture.listLines('app_memory_failed').map(({ task, code }) => `${String(task)} ${String(code)}`),
    );
    expect([...failed].toSorted()).toEqual(
      expect.arrayContaining(['compaction timeout', 'compaction transient', 'creation timeout', 'creation transient']),
    );
    // A memory is made, or its work has failed and can be replayed: nothing is lost silently.
    for (const id of ids) {
      const [run] = await fixture.listRuns(id);
      const work = await fixture.findWork(id);
      expect([run!.state, work?.status]).toEqual(work ? ['failed', 'failed'] : ['done', undefined]);
    }
  });

  async function countActive(tx: Tx): Promise<number> {
    const [row] = await tx.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM app_memories WHERE state = 'active'`,
    );
    return row!.n;
  }

  /** Of each active memory, what it rests on. */
  async function listGrounds(): Promise<[content: string, said: string[]][]> {
    const rows = await fixture.inTenant((tx) =>
      tx.query<{ content: string; said: string[] }>(
        `SELECT m.content, ARRAY (SELECT g.content FROM app_memory_sources s JOIN messages g ON g.id = s.message_id
                                   WHERE s.app_memory_id = m.id) AS said
           FROM app_memories m WHERE m.state = 'active'`,
      ),
    );
    return rows.map(({ content, said }) => [content, said]);
  }
});
