import { SeededRng } from '@annals/domain';
import { createConversation, FACTS } from '../data/conversations.ts';
import { CLIENTS, SEED, USERS } from '../data/pipeline-load.ts';
import { runClosedLoop } from '../frame/load.ts';
import { readCpuMs } from './job-log.ts';

export interface Mem0Settings {
  /** Address of the module. */
  readonly entry: string;
  readonly databaseUrl: string;
  readonly modelsUrl: string;
  readonly dimensions: number;
}

export interface Mem0Report {
  readonly perSecond: number;
  /** CPU of the process for each conversation. */
  readonly cpuMs: number;
}

interface Memory {
  add(
    messages: readonly { readonly role: string; readonly content: string }[],
    options: { readonly userId: string },
  ): Promise<{ readonly results: readonly unknown[] }>;
}

// `mem0.ts <settings as JSON>`: adds as many conversations as each message says, and answers with a report.
const { entry, databaseUrl, modelsUrl, dimensions } = JSON.parse(process.argv[2]!) as Mem0Settings;
const { Memory } = (await import(entry)) as { Memory: new (config: object) => Memory };
const model = { apiKey: 'none', baseURL: modelsUrl, model: 'stub' };
const memory = new Memory({
  llm: { provider: 'openai', config: model },
  embedder: { provider: 'openai', config: { ...model, embeddingDims: dimensions } },
  vectorStore: {
    provider: 'pgvector',
    config: {
      connectionString: databaseUrl,
      collectionName: 'memories',
      dimension: dimensions,
      embeddingModelDims: dimensions,
    },
  },
  // It would need a native module.
  disableHistory: true,
});
const rng = new SeededRng(SEED);
let serial = 0;

process.on('message', (count: number) => {
  void addNext(count).then((report) => process.send!(report));
});
process.on('disconnect', () => process.exit());

async function addNext(count: number): Promise<Mem0Report> {
  const conversations = Array.from({ length: count }, () => createConversation(rng, serial++, USERS));
  const startedMs = readCpuMs();
  const { perSecond } = await runClosedLoop(CLIENTS, count, async (index) => {
    const { user_id: userId, messages } = conversations[index]!;
    const turns = messages.map(({ role, content }) => ({ role, content }));
    const { results } = await memory.add(turns, { userId });
    if (results.length !== FACTS) throw new Error(`mem0 stored ${results.length} memories instead of ${FACTS}.`);
  });
  return { perSecond, cpuMs: (readCpuMs() - startedMs) / count };
}
