import { setImmediate } from 'node:timers/promises';
import { Tally } from '../report/tally.js';
import { importChats } from './import-chats.js';
import type { ImportContext } from './import-context.js';

const AT = '2024-01-01T10:00:00Z';
const ALL = ['a', 'b', 'c', 'd'];

describe('an import of chats', () => {
  const chats = ALL.map((uuid) => ({
    uuid,
    chat_messages: [{ uuid: `${uuid}-1`, sender: 'human', text: 'Hello.', created_at: AT }],
  }));

  function contextOf(annals: object) {
    const states: object[] = [];
    const tally = new Tally(null);
    const context = {
      annals,
      command: { user: 'ann', isDryRun: false, waits: true },
      input: {
        async *parts() {
          yield (async function* () {
            yield Buffer.from(JSON.stringify(chats));
          })();
        },
      },
      progress: { advance: () => undefined, show: () => undefined },
      tally,
      stateFile: { write: async (state: object) => Promise.resolve(states.push(structuredClone(state))) },
      resumed: null,
      pause: () => setImmediate(),
    } as unknown as ImportContext;
    return { context, states, tally };
  }
  async function* none() {}

  it('is over only when all that was being posted is', async () => {
    const posted: string[] = [];
    const create = async ({ thread_id: thread }: { thread_id: string }) => {
      if (thread === 'a') throw new Error('The server went away.');
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      posted.push(thread);
      return { accepted: 1, duplicates: 0, batch_ids: [thread] };
    };
    const { context, states } = contextOf({ conversations: { create }, batches: { list: none } });
    await expect(importChats('claude', context)).rejects.toThrow('The server went away.');
    expect(posted).toEqual(['b', 'c', 'd']);
    expect(states).toEqual([]);
  });

  it('waits for batches of conversations that were posted before it was killed', async () => {
    const asked: string[] = [];
    const batches = {
      async *list({ thread_id: thread }: { thread_id: string }) {
        yield { id: `${thread} open`, status: 'extracting' };
        yield { id: `${thread} over`, status: 'done' };
      },
      get: async (id: string) => {
        asked.push(id);
        return Promise.resolve({ id, status: 'done', inserted: 2, updated: 0 });
      },
    };
    const create = async () => Promise.resolve({ accepted: 0, duplicates: 1, batch_ids: [] });
    const { context, states, tally } = contextOf({ conversations: { create }, batches });
    await importChats('claude', context);
    expect(asked.toSorted()).toEqual(ALL.map((thread) => `${thread} open`));
    expect(states[0]).toMatchObject({ position: 4, batches: asked });
    expect(tally.extracted).toMatchObject({ batches: 4, inserted: 8 });
  });
});
