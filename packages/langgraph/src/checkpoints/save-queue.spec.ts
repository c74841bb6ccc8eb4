import { type Annals, InvalidRequestError, type SaveLangGraphBatch, ServerError } from '@annals/sdk';
import { type DeltaToSave, SaveQueue, type WritesToSave } from './save-queue.js';

type Reply = (batch: SaveLangGraphBatch) => unknown;

/** A client whose answers wait until they are released. */
function createClient() {
  const sent: { batch: SaveLangGraphBatch; reply(by: Reply): Promise<void> }[] = [];
  const save = (batch: SaveLangGraphBatch) =>
    new Promise((resolve, reject) => {
      const reply = async (by: Reply) => {
        void Promise.resolve(batch).then(by).then(resolve, reject);
        await new Promise(setImmediate);
      };
      sent.push({ batch, reply });
    });
  return { sent, annals: { langgraph: { checkpoints: { save } } } as unknown as Annals };
}

const versionOf = ({ checkpoint_id: id }: DeltaToSave) => ({ version: `of ${id}`, takes_delta: true });
const saveAll: Reply = ({ checkpoints = [], writes = [] }) => ({
  checkpoints: checkpoints.map(versionOf),
  writes: writes.map(() => true),
});
const problem = { code: 'validation_failed', title: '', detail: '', type: '' } as never;

const deltaOf = (id: string, length = 10): DeltaToSave => ({
  thread_id: 't',
  checkpoint_id: id,
  metadata: {},
  delta: { base: 'b', data: 'x'.repeat(length) },
});
const writesOf = (id: string): WritesToSave => ({ thread_id: 't', checkpoint_id: id, task_id: 't', writes: [] });
const idsOf = ({ checkpoints = [], writes = [] }: SaveLangGraphBatch) =>
  [...checkpoints, ...writes].map(({ checkpoint_id: id }) => id);

describe('SaveQueue', () => {
  it('sends what comes alone at once, and what comes meanwhile together', async () => {
    const { sent, annals } = createClient();
    const queue = new SaveQueue(annals);
    const results = [queue.saveDelta(deltaOf('a')), queue.saveDelta(deltaOf('b'))];
    const written = queue.saveWrites(writesOf('c'));
    expect(sent.map(({ batch }) => idsOf(batch))).toEqual([['a']]);
    await sent[0]!.reply(saveAll);
    expect(sent.map(({ batch }) => idsOf(batch))).toEqual([['a'], ['b', 'c']]);
    await sent[1]!.reply(({ checkpoints }) => ({ checkpoints: checkpoints!.map(() => null), writes: [false] }));
    expect(await Promise.all(results)).toEqual([{ version: 'of a', takes_delta: true }, null]);
    expect(await written).toBe(false);
  });

  it('sends no more at once than the server takes, and what is too long alone', async () => {
    const { sent, annals } = createClient();
    const queue = new SaveQueue(annals);
    const results = [queue.saveDelta(deltaOf('first'))];
    results.push(queue.saveDelta(deltaOf('long', 600_000)));
    for (let n = 0; n < 120; n += 1) results.push(queue.saveDelta(deltaOf(`${n}`)));
    for (let n = 0; n < 4; n += 1) await sent[n]!.reply(saveAll);
    expect(sent.map(({ batch }) => idsOf(batch).length)).toEqual([1, 1, 100, 20]);
    expect(await Promise.all(results)).toHaveLength(122);
  });

  it('leaves to each its own request when the server refuses one of them', async () => {
    const { sent, annals } = createClient();
    const queue = new SaveQueue(annals);
    const results = [queue.saveDelta(deltaOf('a')), queue.saveDelta(deltaOf('b'))];
    const written = queue.saveWrites(writesOf('c'));
    await sent[0]!.reply(saveAll);
    await sent[1]!.reply(() => {
      throw new InvalidRequestError({ ...(problem as object), status: 400 } as never, undefined);
    });
    expect(await Promise.all(results)).toEqual([expect.anything(), null]);
    expect(await written).toBe(false);
  });

  it('fails all of a request that got no answer, and goes on', async () => {
    const { sent, annals } = createClient();
    const queue = new SaveQueue(annals);
    const failing = queue.saveDelta(deltaOf('a'));
    const next = queue.saveDelta(deltaOf('b'));
    const failed = failing.catch((error: unknown) => error);
    await sent[0]!.reply(() => {
      throw new ServerError({ ...(problem as object), status: 503 } as never, undefined);
    });
    expect(await failed).toBeInstanceOf(ServerError);
    await sent[1]!.reply(saveAll);
    expect(await next).toEqual({ version: 'of b', takes_delta: true });
  });
});
