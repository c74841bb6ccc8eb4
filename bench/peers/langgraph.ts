import { pathToFileURL } from 'node:url';
import type { ThreadState } from '../data/thread-states.ts';
import { installPackages } from './install-packages.ts';

const PACKAGES = [
  '@langchain/langgraph-checkpoint-postgres@1.0.5',
  '@langchain/langgraph-checkpoint@1.2.2',
  '@langchain/core@1.4.0',
];

/** The measured methods of a checkpoint saver of LangGraph. */
export interface Saver {
  put(config: object, checkpoint: object, metadata: object, newVersions: object): Promise<unknown>;
  putWrites(config: object, writes: [string, unknown][], taskId: string): Promise<unknown>;
  getTuple(config: object): Promise<{ checkpoint: object } | undefined>;
}

type PostgresSaver = Saver & { setup(): Promise<void>; end(): Promise<void> };

/** LangGraph's own checkpoint saver, with its tables in the schema `langgraph`; null when it cannot be installed. */
export async function openPostgresSaver(databaseUrl: string): Promise<{ saver: Saver; close(): Promise<void> } | null> {
  const installed = await installPackages('langgraph', PACKAGES);
  if (!installed) return null;
  const entry = installed.require.resolve('@langchain/langgraph-checkpoint-postgres');
  const module = (await import(pathToFileURL(entry).href)) as {
    PostgresSaver: { fromConnString(url: string, options: { schema: string }): PostgresSaver };
  };
  const saver = module.PostgresSaver.fromConnString(databaseUrl, { schema: 'langgraph' });
  await saver.setup();
  return {
    saver,
    close: async () => {
      await saver.end();
      await installed.remove();
    },
  };
}

/** Threads that are saved with a saver as LangGraph does: each checkpoint behind the one before. */
export class SavedThreads {
  private readonly parents = new Map<string, string>();
  private readonly saver: Saver;
  private readonly nextId: () => string;
  private readonly prefix: string;

  /** `prefix`: of the ids of its threads. */
  constructor(saver: Saver, nextId: () => string, prefix = '') {
    this.saver = saver;
    this.nextId = nextId;
    this.prefix = prefix;
  }

  async save(threadId: string, { messages, step }: ThreadState): Promise<void> {
    const id = this.nextId();
    const checkpoint = {
      v: 4,
      id,
      ts: new Date(1_767_600_000_000 + step).toISOString(),
      channel_values: { messages },
      channel_versions: { messages: step },
      versions_seen: {},
    };
    const metadata = { source: 'loop', step, parents: {} };
    await this.saver.put(this.configOf(threadId), checkpoint, metadata, { messages: step });
    this.parents.set(threadId, id);
  }

  /** What a task has written behind the last checkpoint of a thread. */
  async saveWrite(threadId: string, value: unknown): Promise<void> {
    await this.saver.putWrites(this.configOf(threadId), [['messages', value]], this.nextId());
  }

  load(threadId: string): Promise<unknown> {
    return this.saver.getTuple({ configurable: { thread_id: `${this.prefix}${threadId}`, checkpoint_ns: '' } });
  }

  private configOf(threadId: string): object {
    const checkpointId = this.parents.get(threadId);
    return {
      configurable: { thread_id: `${this.prefix}${threadId}`, checkpoint_ns: '', checkpoint_id: checkpointId },
    };
  }
}
