import type { ExtractedItem } from '@annals/contracts';
import type { MemoryChange, PlannedLink } from '@annals/domain';
import { randomBytes } from 'node:crypto';
import { claimBatch, completeExtraction } from '../batches/index.js';
import { writeMemories } from '../memories/index.js';
import { claimForExtraction } from './call.contract.js';
import { vectorOf } from './recall.contract.js';
import type { StorageBench } from './storage-bench.contract.js';

interface Persisted {
  readonly userId: string;
  readonly batchId: string;
  /** What the model said. */
  readonly answer: string;
  readonly items?: readonly ExtractedItem[];
  readonly changes: readonly MemoryChange[];
  readonly links?: readonly PlannedLink[];
}

/** Takes a batch through both stages and answers the memories that carry its statements. */
export async function persistBatch(
  bench: StorageBench,
  tenantId: string,
  { userId, batchId, answer, items = [], changes, links = [] }: Persisted,
): Promise<string[]> {
  const now = bench.clock.now();
  const fence = await claimForExtraction(bench, tenantId, batchId);
  const extracted = { batchId, fence, now, provider: 'claude', model: 'claude-1', notice: null, answer, items };
  const rest = { settlement: null, promptVersion: null, diagnostics: { note: answer }, prunedMessages: 0, trace: null };
  await bench.inTenant(tenantId, (tx) => completeExtraction(tx, { ...extracted, ...rest }, bench.ids));
  const claimed = await bench.inTenant(tenantId, (tx) =>
    claimBatch(tx, { batchId, generation: 1, queue: 'persistence', now, leaseMs: 60_000 }),
  );
  if (claimed.outcome !== 'claimed') throw new Error(`The batch is ${claimed.outcome}.`);
  const contents = changes.flatMap((change) => ('memory' in change ? [change.memory.content] : []));
  const embeddings = new Map(
    contents.map((content) => [
      content,
      { model: 'axes', contentHash: Buffer.from(content), vector: vectorOf(content) },
    ]),
  );
  const batch = { id: batchId, fence: claimed.fence, generation: 1 };
  const command = { userId, actor: 'extraction', node: 'hotpath', changes, links, embeddings, batch };
  const written = await bench.inTenant(tenantId, (tx) =>
    writeMemories(tx, command, { clock: bench.clock, ids: bench.ids, randomBytes }),
  );
  if (written.outcome !== 'applied') throw new Error(`The batch is ${written.outcome}.`);
  return written.results.map(({ memoryId }) => memoryId);
}
