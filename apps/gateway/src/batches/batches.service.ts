import { type Batch, ProblemError, type routes } from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import { CLOCK, DATABASE, IDS, LOGGER, RELAY } from '@annals/runtime';
import {
  allOf,
  readBatchRevisions,
  type Database,
  getBatches,
  isBatchOfAgent,
  listBatches,
  replayBatch,
  type Tx,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { type Principal, tenantOf } from '../auth/principal.js';
import type { Call } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';

export interface VersionedBatch {
  readonly batch: Batch;
  /** How often the batch has changed. */
  readonly revision: number;
}

@Injectable()
export class BatchesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws `not_found`, also for a batch of a user or agent that the key is not bound to. */
  async get(id: string, caller: Principal): Promise<VersionedBatch> {
    return this.database.readTenant(tenantOf(caller), async (tx) => {
      // Revisions are read first: if the batch changes in between, it is sent twice rather than not at all.
      const [revisions, batch] = await allOf([readBatchRevisions(tx, [id]), findOwnBatch(tx, id, caller)]);
      return { batch, revision: revisions.get(id) ?? 0 };
    });
  }

  /** The batches that `get` returns to this caller, by filters. */
  async list({ query, caller, access }: Call<typeof routes.listBatches>) {
    const own = { user_id: access.userId, agentId: caller.bindings.agentId };
    return this.database.readTenant(tenantOf(caller), (tx) => listBatches(tx, { ...query, ...own }));
  }

  async replay(call: Call<typeof routes.replayBatch>) {
    const { params, caller } = call;
    const answer = await this.writes.run(call, async (tx) => {
      const { user_id: userId } = await findOwnBatch(tx, params.id, caller);
      const outcome = await replayBatch(tx, params.id, this.clock.now(), this.ids);
      if (outcome === 'not_found') throw notFound();
      if (outcome === 'not_failed') {
        throw new ProblemError(
          'batch_not_failed',
          'Only a failed batch can be replayed. If this one is still in progress, wait until it has ended.',
        );
      }
      return { userId, answer: { status: 202, body: await findOwnBatch(tx, params.id, caller) } };
    });
    this.relay.kick();
    const { id: batchId, generation } = answer.body;
    this.logger.info('batch_replayed', { tenantId: tenantOf(caller), batchId, generation, byKeyId: caller.keyId });
    return answer;
  }
}

async function findOwnBatch(tx: Tx, id: string, { bindings }: Principal): Promise<Batch> {
  const { userId, agentId } = bindings;
  const [[batch], isOfAgent] = await allOf([
    getBatches(tx, [id]),
    agentId === null ? Promise.resolve(true) : isBatchOfAgent(tx, id, agentId),
  ]);
  if (!batch || !isOfAgent || (userId !== null && batch.user_id !== userId)) throw notFound();
  return batch;
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'There is no batch with this id.');
}
