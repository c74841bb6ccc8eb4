import { InvalidRequestError, ServerError } from '@annals/sdk';
import type { BatchSaver, SavedBatch, StateToSave, WritesToSave } from './batch.js';
import { type PostgresClient, saveDirectly } from './save-directly.js';
import { saveOverRest } from './save-over-rest.js';
import { SaveQueue } from './save-queue.js';

type Batch = readonly (StateToSave | WritesToSave)[];

/** A saver whose answers wait until they are released. */
function createSaver() {
  const sent: { batch: Batch; reply(by: () => SavedBatch): Promise<void> }[] = [];
  const save: BatchSaver['save'] = (states, writes) =>
    new Promise((resolve, reject) => {
      const reply = async (by: () => SavedBatch) => {
        void Promise.resolve().then(by).then(resolve, reject);
        await new Promise(setImmediate);
      };
      sent.push({ batch: [...states, ...writes], reply });
    });
  return { sent, queue: new SaveQueue({ takesWhole: false, save }) };
}

const place = { user: undefined, threadId: 't', checkpointNs: '' };
const stateOf = (checkpointId: string, length = 10, isWhole = false): StateToSave => ({
  ...place,
  checkpointId,
  parentId: undefined,
  metadata: {},
  replayedChannels: [],
  base: '019b8d62-7a80-7333-a5f8-7d63465efb89.1.5',
  isWhole,
  body: Buffer.alloc(length, 'x'),
  bytes: length,
});
const writesOf = (checkpointId: string): WritesToSave => ({
  ...place,
  checkpointId,
  taskId: 't',
  taskPath: '',
  writes: [{ idx: 0, channel: 'c', type: 'json', value: '1' }],
});
const version = (id: string) => ({ version: `of ${id}`, takes_delta: true });
const saveAll = (batch: Batch) => (): SavedBatch => ({
  checkpoints: batch.filter((item) => 'body' in item).map(({ checkpointId }) => version(checkpointId)),
  writes: batch.filter((item) => 'taskId' in item).map(() => true),
});
const idsOf = (batch: Batch) => batch.map(({ checkpointId }) => checkpointId);
const problem = { code: 'validation_failed', title: '', detail: '', type: '' };

describe('SaveQueue', () => {
  it('sends what comes alone at once, and what comes meanwhile together', async () => {
    const { sent, queue } = createSaver();
    const results = [queue.saveState(stateOf('a')), queue.saveState(stateOf('b'))];
    const written = queue.saveWrites(writesOf('c'));
    expect(sent.map(({ batch }) => idsOf(batch))).toEqual([['a']]);
    await sent[0]!.reply(saveAll(sent[0]!.batch));
    expect(sent.map(({ batch }) => idsOf(batch))).toEqual([['a'], ['b', 'c']]);
    await sent[1]!.reply(() => ({ checkpoints: [null], writes: [false] }));
    expect(await Promise.all(results)).toEqual([version('a'), null]);
    expect(await written).toBe(false);
  });

  it('sends no more at once than the server takes, and what is too long alone', async () => {
    const { sent, queue } = createSaver();
    const results = [queue.saveState(stateOf('first'))];
    results.push(queue.saveState(stateOf('long', 600_000)));
    for (let n = 0; n < 120; n += 1) results.push(queue.saveState(stateOf(`${n}`)));
    for (let n = 0; n < 4; n += 1) await sent[n]!.reply(saveAll(sent[n]!.batch));
    expect(sent.map(({ batch }) => batch.length)).toEqual([1, 1, 100, 20]);
    expect(await Promise.all(results)).toHaveLength(122);
  });

  it('fails all of a request that got no answer, and goes on', async () => {
    const { sent, queue } = createSaver();
    const failed = queue.saveState(stateOf('a')).catch((error: unknown) => error);
    const next = queue.saveState(stateOf('b'));
    await sent[0]!.reply(() => {
      throw new ServerError({ ...problem, status: 503 } as never, undefined);
    });
    expect(await failed).toBeInstanceOf(ServerError);
    await sent[1]!.reply(saveAll(sent[1]!.batch));
    expect(await next).toEqual(version('b'));
  });
});

describe('saving over REST', () => {
  const saverThat = (save: () => Promise<unknown>) => saveOverRest({ langgraph: { checkpoints: { save } } } as never);

  it('leaves to each its own request when the server refuses one of them', async () => {
    const saver = saverThat(() =>
      Promise.reject(new InvalidRequestError({ ...problem, status: 400 } as never, undefined)),
    );
    expect(await saver.save([stateOf('a')], [writesOf('b')])).toEqual({ checkpoints: [null], writes: [false] });
  });

  it('fails when it is not known what was saved', async () => {
    const saver = saverThat(() => Promise.reject(new ServerError({ ...problem, status: 503 } as never, undefined)));
    await expect(saver.save([stateOf('a')], [])).rejects.toThrow(ServerError);
  });
});

describe('saving directly', () => {
  /** What was saved otherwise. */
  const rest: Batch[] = [];
  const otherwise: BatchSaver = {
    takesWhole: false,
    save: async (states, writes) => {
      rest.push([...states, ...writes]);
      return { checkpoints: states.map(({ checkpointId }) => version(checkpointId)), writes: writes.map(() => true) };
    },
  };
  const failing = (error: Error): PostgresClient => ({ query: () => Promise.reject(error) });
  const coded = (code: string) => Object.assign(new Error(code), { code });
  beforeEach(() => {
    rest.length = 0;
  });

  it.each([['ECONNREFUSED'], ['57P01'], ['40P01'], ['53300'], [undefined]])(
    'saves by REST what can be saved so, when the database fails with %s',
    async (code) => {
      const saver = saveDirectly(failing(code === undefined ? new Error('lost') : coded(code)), otherwise);
      const saved = await saver.save([stateOf('whole', 5, true), stateOf('a')], [writesOf('b')]);
      expect(saved).toEqual({ checkpoints: [null, version('a')], writes: [true] });
      expect(rest.map(idsOf)).toEqual([['a', 'b']]);
      expect(await saver.save([stateOf('whole', 5, true)], [])).toEqual({ checkpoints: [null], writes: [] });
      expect(rest).toHaveLength(1);
    },
  );

  it('leaves to each its own request when the database refuses the content of one of them', async () => {
    const saver = saveDirectly(failing(coded('22P05')), otherwise);
    expect(await saver.save([stateOf('a')], [writesOf('b')])).toEqual({ checkpoints: [null], writes: [false] });
    expect(rest).toEqual([]);
  });

  it.each([['42501'], ['42883'], ['3F000']])('says what to do when the login may not save (%s)', async (code) => {
    await expect(saveDirectly(failing(coded(code)), otherwise).save([stateOf('a')], [])).rejects.toThrow(
      'add it with annals.add_langgraph_login',
    );
    expect(rest).toEqual([]);
  });
});
