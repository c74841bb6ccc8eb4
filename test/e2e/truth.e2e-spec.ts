import type { QueryHit } from '@annals/contracts';
import {
  type AnnalsSystem,
  answerFromPrompt,
  type ApiClient,
  decideNothing,
  type FakeModels,
  parseShownNames,
  startFakeModels,
  startSystem,
  type Variables,
  waitUntil,
} from '@annals/testing';
import { chooseFakeModels } from '../faults/model-variables.js';
import { Timeline } from './timeline.fixture.js';

/** Statements of a user by day. */
const TIMELINE: readonly (readonly [day: string, words: string])[] = [
  ['2026-01-05', 'I live in Berlin. I work as a nurse. I love pizza.'],
  ['2026-02-10', 'I moved to Munich.'],
  ['2026-03-15', 'I moved to Hamburg. I started a new job as a teacher.'],
  ['2026-04-20', 'I hate pizza now. My sister lives in Rome.'],
  ['2026-05-25', 'I moved back to Berlin.'],
];

/** Orders in which the statements are posted, including the newest first. */
const ARRIVAL_ORDERS: readonly (readonly [string, readonly number[]])[] = [
  ['in order', [0, 1, 2, 3, 4]],
  ['backwards', [4, 3, 2, 1, 0]],
  ['out of order', [2, 4, 0, 3, 1]],
];

const HOME = /Berlin|Munich|Hamburg/;
const WORK = /nurse|teacher/;
const PIZZA = /pizza/;

describe('current and past memories of a user', () => {
  let system: AnnalsSystem;
  let client: ApiClient;
  let timeline: Timeline;
  const start = async (env: Variables = {}) => {
    system = await startSystem({ env: { ANNALS_BATCH_WINDOW_MS: '0', ...env } });
    timeline = new Timeline(system);
    ({ client } = timeline);
  };

  const say: Timeline['say'] = (...said) => timeline.say(...said);
  const postTimeline = async (userId: string, order: readonly number[]) => {
    for (const index of order) await say(userId, ...TIMELINE[index]!);
  };
  /** Contents that a query returns about a topic, oldest first. */
  const ask = async (userId: string, about: RegExp, times: { as_of?: string; known_at?: string } = {}) => {
    const query = 'Where does the user live, what is their job, what about pizza?';
    const body = {
      query,
      filters: { user_id: userId },
      types: ['semantic' as const, 'episodic' as const],
      return: 'full' as const,
      top_k: 50,
      budget_tokens: 8_000,
      ...times,
    };
    const { memories } = await client.must('queryMemory', { body });
    return (memories as QueryHit[])
      .toSorted((a, b) => a.valid_from.localeCompare(b.valid_from))
      .map(({ content }) => content)
      .filter((content) => about.test(content));
  };
  const find = async (userId: string, content: string) =>
    (await timeline.listAll(userId)).find((memory) => memory.content === content)!;

  describe('without a model', () => {
    beforeAll(() => start());
    afterAll(() => system?.close());

    describe.each(ARRIVAL_ORDERS)('posted %s', (name, order) => {
      const userId = `user ${name}`;
      beforeAll(() => postTimeline(userId, order));

      it('include only what is valid now', async () => {
        expect(await ask(userId, HOME)).toEqual(['The user moved back to Berlin.']);
        expect(await ask(userId, WORK)).toEqual(['The user started a new job as a teacher.']);
        expect(await ask(userId, PIZZA)).toEqual(['The user hates pizza now.']);
      });

      it.each([
        ['2026-01-01T00:00:00Z', [], [], []],
        [
          '2026-01-06T00:00:00Z',
          ['The user lives in Berlin.'],
          ['The user works as a nurse.'],
          ['The user loves pizza.'],
        ],
        [
          '2026-02-11T00:00:00Z',
          ['The user moved to Munich.'],
          ['The user works as a nurse.'],
          ['The user loves pizza.'],
        ],
        [
          '2026-03-16T00:00:00Z',
          ['The user moved to Hamburg.'],
          ['The user started a new job as a teacher.'],
          ['The user loves pizza.'],
        ],
        [
          '2026-04-21T00:00:00Z',
          ['The user moved to Hamburg.'],
          ['The user started a new job as a teacher.'],
          ['The user hates pizza now.'],
        ],
      ])('include at %s what was valid then', async (as_of, home, work, pizza) => {
        expect(await ask(userId, HOME, { as_of })).toEqual(home);
        expect(await ask(userId, WORK, { as_of })).toEqual(work);
        expect(await ask(userId, PIZZA, { as_of })).toEqual(pizza);
      });

      it('form a chain from the first home to the last', async () => {
        const memories = await timeline.listAll(userId);
        const byId = new Map(memories.map((memory) => [memory.id, memory]));
        const chain: string[] = [];
        let next = memories.find(({ content }) => content === 'The user lives in Berlin.');
        while (next) {
          chain.push(next.content);
          next = next.superseded_by === null ? undefined : byId.get(next.superseded_by);
        }
        expect(chain).toEqual([
          'The user lives in Berlin.',
          'The user moved to Munich.',
          'The user moved to Hamburg.',
          'The user moved back to Berlin.',
        ]);
        const first = await find(userId, 'The user lives in Berlin.');
        const history = await client.must('getMemoryHistory', { params: { id: first.id } });
        expect(history.items.at(-1)!.event).toBe('ADD');
      });

      it('do not mix in statements about other people', async () => {
        expect(await ask(userId, /sister/)).toEqual(["The user's sister lives in Rome."]);
      });
    });

    it('include for each known_at what had been recorded by then', async () => {
      const userId = 'known';
      await say(userId, ...TIMELINE[0]!);
      const beforeMoves = new Date().toISOString();
      await say(userId, ...TIMELINE[2]!);
      const beforeMunich = new Date().toISOString();
      await say(userId, ...TIMELINE[1]!);
      const inFebruary = { as_of: '2026-02-20T00:00:00Z' };
      expect(await ask(userId, HOME, inFebruary)).toEqual(['The user moved to Munich.']);
      expect(await ask(userId, HOME, { ...inFebruary, known_at: beforeMunich })).toEqual(['The user lives in Berlin.']);
      expect(await ask(userId, HOME, { known_at: beforeMunich })).toEqual(['The user moved to Hamburg.']);
      expect(await ask(userId, HOME, { known_at: beforeMoves })).toEqual(['The user lives in Berlin.']);
    });

    it('are restored by an undo, and change again by an undo of that', async () => {
      const userId = 'undone';
      await postTimeline(userId, [0, 1, 2]);
      const hamburg = await find(userId, 'The user moved to Hamburg.');
      const undo = (id: string) => client.must('undoMemory', { params: { id } });
      await undo(hamburg.id);
      expect(await ask(userId, HOME)).toEqual(['The user moved to Munich.']);
      const munich = await find(userId, 'The user moved to Munich.');
      const history = await client.must('getMemoryHistory', { params: { id: munich.id } });
      expect(history.items[0]!.event).toBe('UNDO');
      await undo(hamburg.id);
      expect(await ask(userId, HOME)).toEqual(['The user moved to Hamburg.']);
      const berlin = await find(userId, 'The user lives in Berlin.');
      await undo(berlin.id);
      expect(await ask(userId, HOME)).toEqual(['The user moved to Hamburg.']);
      expect(await ask(userId, HOME, { as_of: '2026-02-11T00:00:00Z' })).toEqual(['The user lives in Berlin.']);
    });

    it('appear in the change log of a thread once, when they are first stated in it', async () => {
      const userId = 'threads';
      const revision = async (thread_id: string) => {
        const body = { query: 'tea', filters: { user_id: userId, thread_id } };
        return (await client.must('queryMemory', { body })).revision;
      };
      await say(userId, '2026-01-05', 'I love tea.', 'one');
      expect(await revision('one')).toBe(1);
      await say(userId, '2026-01-06', 'I love tea.', 'two');
      expect([await revision('one'), await revision('two')]).toEqual([1, 1]);
      await say(userId, '2026-01-07', 'I love tea.', 'two');
      expect([await revision('one'), await revision('two')]).toEqual([1, 1]);
    });
  });

  describe('with a model', () => {
    let models: FakeModels;
    let modelCalls = 0;
    /** Runs while the model decides. */
    let whileDeciding: () => Promise<unknown> = async () => undefined;
    let answer: (names: readonly string[]) => unknown;

    beforeAll(async () => {
      models = await startFakeModels({
        answer: async (request) => {
          const names = parseShownNames(request.userTexts[0] ?? '');
          if (names.length === 0) return answerFromPrompt(request);
          modelCalls += 1;
          await whileDeciding();
          return JSON.stringify({ decisions: answer(names) });
        },
      });
      await start(chooseFakeModels(models, { MEMORY_LLM_CIRCUIT_MIN_ATTEMPTS: '1000' }));
    });
    beforeEach(() => {
      modelCalls = 0;
      whileDeciding = async () => undefined;
      answer = replaceFirst;
    });
    afterAll(async () => {
      await system?.close();
      await models?.close();
    });

    const replaceFirst = (names: readonly string[]) =>
      names.map((id) => (id === 'e1' ? { id, event: 'DELETE', with: 'n1' } : decideNothing(id)));
    const TRANSPORT = /bus|train/;
    const commute = async (userId: string) => {
      await say(userId, '2026-01-05', 'I take the bus to work.');
      return say(userId, '2026-02-10', 'I take the train to work.');
    };

    it('follow the decisions of the model, in the order of their messages', async () => {
      const batch = await commute('ann');
      expect(await ask('ann', TRANSPORT)).toEqual(['The user said: “I take the train to work.”']);
      expect(await ask('ann', TRANSPORT, { as_of: '2026-01-20T00:00:00Z' })).toEqual([
        'The user said: “I take the bus to work.”',
      ]);
      expect(modelCalls).toBe(1);
      const usage = await client.must('getUsage', { query: { group_by: 'call' } });
      const calls = usage.items.filter(({ batch_id }) => batch_id === batch.id).map(({ operation }) => operation);
      expect(calls).toHaveLength(2);
      expect(new Set(calls)).toEqual(new Set(['extraction', 'reconciliation']));
    });

    it('end an earlier statement even when it arrives later', async () => {
      await say('bea', '2026-02-10', 'I take the train to work.');
      await say('bea', '2026-01-05', 'I take the bus to work.');
      expect(await ask('bea', TRANSPORT)).toEqual(['The user said: “I take the train to work.”']);
      expect(await ask('bea', TRANSPORT, { as_of: '2026-01-20T00:00:00Z' })).toEqual([
        'The user said: “I take the bus to work.”',
      ]);
    });

    it('stay unchanged when the model names an id that was not in its prompt', async () => {
      const strangers = await find('ann', 'The user said: “I take the train to work.”');
      answer = (names) => [...names.map(decideNothing), { id: strangers.id, event: 'DELETE', with: 'n1' }];
      await commute('cyd');
      answer = (names) => names.map((id) => (id === 'e1' ? { id, event: 'DELETE', with: 'n9' } : decideNothing(id)));
      await commute('dee');
      for (const userId of ['cyd', 'dee']) expect(await ask(userId, TRANSPORT)).toHaveLength(2);
      expect(await ask('ann', TRANSPORT)).toHaveLength(1);
    });

    it('are updated although the worker is killed while the model answers', async () => {
      await say('eva', '2026-01-05', 'I take the bus to work.');
      const [worker] = system.processesOf('persistence');
      let killed: Promise<void> | undefined;
      whileDeciding = async () => (killed ??= worker!.kill9());
      const said = say('eva', '2026-02-10', 'I take the train to work.');
      await waitUntil(() => killed !== undefined, { describe: 'the model is called' });
      await killed;
      await worker!.start();
      await said;
      expect(await ask('eva', TRANSPORT)).toEqual(['The user said: “I take the train to work.”']);
      expect(modelCalls).toBeLessThanOrEqual(2);
    });
  });
});
