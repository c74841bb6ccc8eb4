/** A memory that a job has work with. */
export interface DueMemory {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryId: string;
}

/** Where a scan of all memories of all tenants is. */
export interface ScanPosition {
  readonly tenantId: string;
  readonly memoryId: string;
}

export const SCAN_START: ScanPosition = {
  tenantId: '00000000-0000-0000-0000-000000000000',
  memoryId: '00000000-0000-0000-0000-000000000000',
};

/** What a step of a scan found, and where the scan goes on; null at its end. */
export interface ScanStep {
  readonly due: DueMemory[];
  readonly position: ScanPosition | null;
}

/** A row of the functions that scan: one for each memory found, and one without a user that says how far that was. */
export interface ScannedRow {
  tenant_id: string;
  memory_id: string;
  user_id: string | null;
}

export function toScanStep(rows: readonly ScannedRow[]): ScanStep {
  const last = rows.find((row) => row.user_id === null);
  return {
    due: rows.flatMap(({ tenant_id, memory_id, user_id }) =>
      user_id === null ? [] : [{ tenantId: tenant_id, userId: user_id, memoryId: memory_id }],
    ),
    position: last ? { tenantId: last.tenant_id, memoryId: last.memory_id } : null,
  };
}
