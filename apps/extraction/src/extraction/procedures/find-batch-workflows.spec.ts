import { identifySpeakers } from '@annals/domain';
import type { StoredTurn } from '@annals/storage';
import { findBatchWorkflows, type WorkOptions } from './find-batch-workflows.js';

const turn = (seq: number, role: StoredTurn['role'], content: string, actorId: string | null = null): StoredTurn => ({
  id: `m${seq}`,
  seq,
  role,
  actorId,
  content,
  saidAt: seq,
});
const report = (actorId: string | null) =>
  turn(2, 'assistant', 'I opened the branch. I ran the tests. I tagged the release.', actorId);
const REQUEST = turn(1, 'user', 'Please publish the release.');
const SUCCESS = turn(3, 'user', 'Perfect, it works.');

const OPTIONS: WorkOptions = {
  agents: 'supervisor,executor',
  agentId: null,
  identify: identifySpeakers({ id: 'mara', names: [] }, []),
  loadEarlier: async () => [],
  pause: async () => undefined,
};
const count = async (messages: readonly StoredTurn[], options: Partial<WorkOptions> = {}) =>
  (await findBatchWorkflows({ messages, context: [] }, { ...OPTIONS, ...options })).length;

describe('findBatchWorkflows', () => {
  it.each<[string | null, string | null, number]>([
    ['executor', null, 1],
    ['Executor', 'executor-2', 1],
    ['executor', 'stylist', 0],
    [null, 'stylist', 0],
    ['executor-2', null, 1],
    ['supervisor:eu', null, 1],
    [null, 'executor', 1],
    ['planner', 'executor', 0],
    ['executors', null, 0],
    [null, null, 0],
  ])('reads the work of actor %s in a conversation of agent %s: %d', async (actorId, agentId, expected) => {
    expect(await count([REQUEST, report(actorId), SUCCESS], { agentId })).toBe(expected);
  });

  it('reads the work of the configured agents, or of none', async () => {
    const conversation = [REQUEST, report('builder'), SUCCESS];
    expect(await count(conversation, { agents: 'builder' })).toBe(1);
    expect(await count(conversation, { agents: 'off' })).toBe(0);
    expect(await count([REQUEST, report('off'), SUCCESS], { agents: 'off' })).toBe(0);
  });

  it('reads what was said before the batch, and returns what is confirmed in it', async () => {
    const context = [REQUEST, report('executor')];
    const find = (messages: readonly StoredTurn[], earlier: readonly StoredTurn[]) =>
      findBatchWorkflows({ messages, context }, { ...OPTIONS, loadEarlier: async () => earlier });
    expect(await find([SUCCESS], context)).toHaveLength(1);
    expect(await find([turn(4, 'user', 'I like tea.')], [...context, SUCCESS])).toEqual([]);
  });

  it('takes requests and confirmations from the user alone', async () => {
    const by = (actorId: string, { seq, content }: StoredTurn) => turn(seq, 'user', content, actorId);
    expect(await count([by('mara', REQUEST), report('executor'), by('user', SUCCESS)])).toBe(1);
    expect(await count([by('Eve', REQUEST), report('executor'), SUCCESS])).toBe(0);
    expect(await count([REQUEST, report('executor'), by('Eve', SUCCESS)])).toBe(0);
  });

  it('waits for the end of a run of agents and tools, and returns it once', async () => {
    const steps = ['opened the branch', 'ran the tests', 'tagged the release', 'published the notes'];
    const run = steps.flatMap((step, index) => [
      turn(2 * index + 2, 'assistant', `I ${step}.`, 'executor'),
      turn(2 * index + 3, 'tool', '{"ok":true}'),
    ]);
    const said = [REQUEST, ...run, turn(10, 'user', 'Thanks.'), turn(11, 'user', 'Perfect.'), turn(12, 'user', 'Bye.')];
    const found = [];
    for (const [index, message] of said.entries()) {
      const earlier = said.slice(0, index);
      const options = { ...OPTIONS, loadEarlier: async () => earlier };
      found.push(...(await findBatchWorkflows({ messages: [message], context: earlier.slice(-10) }, options)));
    }
    expect(found.map(({ steps: { length }, endedBy }) => [length, endedBy])).toEqual([[4, 'm10']]);
  });

  it('does not load anything for conversations without such agents', async () => {
    const loadEarlier = () => Promise.reject(new Error('loaded'));
    expect(await count([REQUEST, report(null), SUCCESS], { loadEarlier })).toBe(0);
  });
});
