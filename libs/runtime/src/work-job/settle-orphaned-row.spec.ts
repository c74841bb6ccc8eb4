import { ManualClock } from '@annals/domain';
import type { WorkRow } from '@annals/messaging';
import type { Logger } from '@annals/observability';
import type { Tx } from '@annals/storage';
import { type OrphanedRowDependencies, settleOrphanedRow } from './settle-orphaned-row.js';

const row: WorkRow = {
  id: 'row',
  tenantId: 'tenant',
  kind: 'extraction',
  subjectId: 'batch',
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

  it('fails other work in its own row', async () => {
    const { deps, execute } = createDependencies(1);
    await settleOrphanedRow(deps, { ...row, kind: 'vectors', subjectId: 'user' }, 'failed');
    expect(execute.mock.calls.map(([sql]) => sql)).toEqual([expect.stringContaining('UPDATE work')]);
    expect(execute.mock.calls[0]?.[1]).toEqual(expect.arrayContaining(['user', 'vectors', 3, 'stalled']));
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
