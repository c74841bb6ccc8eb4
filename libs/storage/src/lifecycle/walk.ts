/** A memory that a job has work with. */
export interface DueMemory {
  readonly tenantId: string;
  readonly userId: string;
  readonly memoryId: string;
}

/** Where a walk over all memories of all tenants is. */
export interface WalkPosition {
  readonly tenantId: string;
  readonly memoryId: string;
}

export const WALK_START: WalkPosition = {
  tenantId: '00000000-0000-0000-0000-000000000000',
  memoryId: '00000000-0000-0000-0000-000000000000',
};

/** What a step of a walk found, and where the walk goes on; null at its end. */
export interface WalkStep {
  readonly due: DueMemory[];
  readonly position: WalkPosition | null;
}

/** A row of the functions that walk: one for each memory found, and one without a user that says how far that was. */
export interface WalkedRow {
  tenant_id: string;
  memory_id: string;
  user_id: string | null;
}

export function toStep(rows: readonly WalkedRow[]): WalkStep {
  const last = rows.find((row) => row.user_id === null);
  return {
    due: rows.flatMap(({ tenant_id, memory_id, user_id }) =>
      user_id === null ? [] : [{ tenantId: tenant_id, userId: user_id, memoryId: memory_id }],
    ),
    position: last ? { tenantId: last.tenant_id, memoryId: last.memory_id } : null,
  };
}
