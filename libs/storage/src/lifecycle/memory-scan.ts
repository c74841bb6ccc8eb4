import { NIL_UUID } from '../database/cursor.js';
import type { MemorySourceEntity } from '../entities/memory.entity.js';

/** A memory that a maintenance job has to process. */
export interface DueMemory {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryId: string;
}

/** Position of a scan of all memories of all tenants. */
export interface ScanPosition {
  readonly tenantId: string;
  readonly memoryId: string;
}

export const SCAN_START: ScanPosition = { tenantId: NIL_UUID, memoryId: NIL_UUID };

/** Result of one step of a scan, and where the scan continues; null at its end. */
export interface ScanStep {
  readonly due: DueMemory[];
  readonly position: ScanPosition | null;
}

/** A row of the scan functions: one for each memory found, and one without a user with the position reached. */
type ScannedRow = Pick<MemorySourceEntity, 'tenant_id' | 'memory_id'> & { user_id: string | null };

export function toScanStep(rows: readonly ScannedRow[]): ScanStep {
  const last = rows.find((row) => row.user_id === null);
  return {
    due: rows.flatMap(({ tenant_id, memory_id, user_id }) =>
      user_id === null ? [] : [{ tenantId: tenant_id, userId: user_id, memoryId: memory_id }],
    ),
    position: last ? { tenantId: last.tenant_id, memoryId: last.memory_id } : null,
  };
}
