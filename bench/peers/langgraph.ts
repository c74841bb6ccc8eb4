import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { ThreadState } from '../data/thread-states.ts';

/** Installed into a temporary folder for the measurement: it is not a dependency of the project. */
const PACKAGES = [
  '@langchain/langgraph-checkpoint-postgres@1.0.5',
  '@langchain/langgraph-checkpoint@1.2.2',
  '@langchain/core@1.4.0',
];

/** The measured methods of its checkpoint saver. */
interface Saver {
  setup(): Promise<void>;
  put(config: object, checkpoint: object, metadata: object, newVersions: object): Promise<unknown>;
  getTuple(config: object): Promise<{ checkpoint: object } | undefined>;
  end(): Promise<void>;
}

/** LangGraph's checkpointer, with its tables in the schema `langgraph`. */
export interface LangGraph {
  save(threadId: string, state: ThreadState): Promise<unknown>;
  load(threadId: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Null when it cannot be installed. */
export async function openLangGraph(databaseUrl: string, nextId: () => string): Promise<LangGraph | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'annals-langgraph-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...PACKAGES]);
  } catch {
    await remove();
    return null;
  }
  const entry = createRequire(path.join(folder, 'package.json')).resolve('@langchain/langgraph-checkpoint-postgres');
  const { PostgresSaver } = (await import(pathToFileURL(entry).href)) as {
    PostgresSaver: { fromConnString(url: string, options: { schema: string }): Saver };
  };
  const saver = PostgresSaver.fromConnString(databaseUrl, { schema: 'langgraph' });
  await saver.setup();
  const configure = (threadId: string) => ({ configurable: { thread_id: threadId, checkpoint_ns: '' } });
  return {
    save: (threadId, { messages, step }) =>
      saver.put(
        configure(threadId),
        {
          v: 4,
          id: nextId(),
          ts: new Date(1_767_600_000_000 + step).toISOString(),
          channel_values: { messages },
          channel_versions: { messages: step },
          versions_seen: {},
        },
        { source: 'loop', step, parents: {} },
        { messages: step },
      ),
    load: (threadId) => saver.getTuple(configure(threadId)),
    close: async () => {
      await saver.end();
      await remove();
    },
  };
}
