import { ManualClock } from '@annals/domain';
import { LLM_ERROR_TYPES } from '@annals/llm-core';
import type { OutboxRow } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import type { Tx } from '@annals/storage';
import { explainFailure, type OrphanedRowDependencies, settleOrphanedRow } from './end-batch.js';

describe('explainFailure', () => {
  it('has a message for every error type of a model call except unknown', () => {
    const codes = LLM_ERROR_TYPES.map((type) => explainFailure(type).code);
    expect(codes).toEqual(LLM_ERROR_TYPES.map((type) => (type === 'unknown' ? 'internal' : type)));
  });

  it.each([
    ['stalled_too_often', 'stalled'],
    ['queue_error', 'transient'],
    ['internal_error', 'internal'],
    ['constructor_of_something', 'internal'],
  ])('maps %j to %j', (code, shown) => {
    expect(explainFailure(code).code).toBe(shown);
  });

  it('returns sentences that say what to do', () => {
    expect(explainFailure('authentication').message).toBe(
      "The provider rejected the API key. Correct the provider's API key, then replay the batch.",
    );
  });
});

const row: OutboxRow = {
  id: 'row',
  tenantId: 'tenant',
  queue: 'extraction',
  batchId: 'batch',
  generation: 3,
  trace: null,
};

function createDependencies(returned: number) {
  const execute = vi.fn((_sql: string, _parameters?: readonly unknown[]) => Promise.resolve(1));
  const tx = { tenantId: row.tenantId, execute } as unknown as Tx;
  const kick = vi.fn();
  const deps: OrphanedRowDependencies = {
    database: { inTenant: (_tenant, work) => work(tx) },
    store: { returnToWaiting: vi.fn(() => Promise.resolve(returned)) },
    relay: { kick },
    clock: new ManualClock(),
    logger: { warn: vi.fn() } as unknown as Logger,
    metrics: { inc: vi.fn() },
  };
  return { deps, kick, execute };
}

describe('settleOrphanedRow', () => {
  it('fails the batch of a job that failed without being reported', async () => {
    const { deps, execute } = createDependencies(1);
    await settleOrphanedRow(deps, row, 'failed');
    expect(execute.mock.calls[0]?.[1]).toEqual(expect.arrayContaining(['batch', 3, 'stalled']));
    expect(deps.store.returnToWaiting).not.toHaveBeenCalled();
  });

  it('runs a job again that completed without an effect', async () => {
    const { deps, kick } = createDependencies(1);
    await settleOrphanedRow(deps, row, 'completed');
    expect(deps.store.returnToWaiting).toHaveBeenCalledWith([row], 0);
    expect(kick).toHaveBeenCalled();
  });

  it('does not kick the relay when another process was faster', async () => {
    const { deps, kick } = createDependencies(0);
    await settleOrphanedRow(deps, row, 'completed');
    expect(kick).not.toHaveBeenCalled();
  });
});
