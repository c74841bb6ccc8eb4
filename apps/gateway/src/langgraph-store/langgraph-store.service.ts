import {
  LANGGRAPH_STORE_USER,
  type LangGraphStoreOperation,
  type LangGraphStoreResult,
  type LangGraphStoreResults,
  type routes,
} from '@annals/contracts';
import type { Clock, IdGenerator } from '@annals/domain';
import { CLOCK, DATABASE, IDS } from '@annals/runtime';
import { type Database, lockItems, requestItemVectors, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { checkOperationScopes } from './check-operation-scopes.js';
import { parseOperations, type StoreBatch } from './parse-operations.js';
import { isWrite, planSteps } from './plan-steps.js';
import { StepRunner } from './step-runner.js';
import { StoreVectors } from './store-vectors.js';

/** Runs batches of operations on the items of one user. */
@Injectable()
export class LangGraphStoreService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(StoreVectors) private readonly vectors: StoreVectors,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
  ) {}

  async batch(call: Call<typeof routes.batchLangGraphStore>): Promise<Answer<LangGraphStoreResults>> {
    const { body, caller, access, redactor } = call;
    const { operations } = body;
    // Before a stored answer is returned, which may have items that this key may not read.
    checkOperationScopes(operations, caller);
    const parsed = parseOperations(operations);
    const vectors = await this.vectors.embed(tenantOf(caller), operations, redactor);
    const batch = { ...parsed, vectors, userId: access.userId ?? LANGGRAPH_STORE_USER };
    const answer = (results: LangGraphStoreResult[]) => ok({ results, degraded: vectors.isDegraded });
    if (operations.some(isWrite)) {
      return this.writes.run(call, async (tx) => ({
        userId: batch.userId,
        answer: answer(await this.run(tx, operations, batch)),
      }));
    }
    const refreshes = operations.some((operation) => 'refresh_ttl' in operation && operation.refresh_ttl);
    const work = (tx: Tx) => this.run(tx, operations, batch);
    const tenantId = tenantOf(caller);
    return answer(
      await (refreshes ? this.database.inTenant(tenantId, work) : this.database.readTenant(tenantId, work)),
    );
  }

  private async run(
    tx: Tx,
    operations: readonly LangGraphStoreOperation[],
    batch: StoreBatch,
  ): Promise<LangGraphStoreResult[]> {
    const scope = { userId: batch.userId, now: this.clock.now() };
    const places = operations.filter(isWrite);
    const mayInsert = places.some(({ op }) => op === 'put');
    if (places.length > 0) await lockItems(tx, scope, { places, mayInsert });
    const runner = new StepRunner(tx, scope, batch, { clock: this.clock, ids: this.ids });
    for (const step of planSteps(operations)) await runner.run(step);
    await runner.refresh();
    if (batch.vectors.lacksTexts) await requestItemVectors(tx, scope.userId, { now: scope.now, ids: this.ids });
    return operations.map((operation, place) => runner.resultOf(operation, place));
  }
}
