import type { LinkFault } from '@annals/domain';

/**
 * Faults found beyond those of single rows. `cut_off`: the number of rows or the head differs from what the user's row
 * records. `unknown_user`: history exists for a user without a row. `no_receipt`: an erasure has no receipt.
 * `forged_receipt`: its signature does not verify with our key. `forged_removal`: that of what it says of the vault does not. `stray_receipt`: there is no erasure at the chain
 * position that it names. `not_erased`: the user's row records no such erasure. `rewritten`: a different row is at the
 * position of an exported head. `truncated`: no row is there. `unknown_tenant`: the tenant of an exported head no
 * longer exists. `wrong_pseudonym`: a user's row has the pseudonym of somebody else, or of another secret key.
 * `memory_content_changed`, `memory_state_changed`: a memory differs from what its history says. `memory_inserted`: it
 * has no history. `memory_removed`: it is gone, although neither its purge nor an erasure is recorded.
 */
export type AuditFault =
  | LinkFault
  | 'cut_off'
  | 'unknown_user'
  | 'no_receipt'
  | 'forged_receipt'
  | 'forged_removal'
  | 'stray_receipt'
  | 'not_erased'
  | 'rewritten'
  | 'truncated'
  | 'unknown_tenant'
  | 'wrong_pseudonym'
  | 'memory_content_changed'
  | 'memory_state_changed'
  | 'memory_inserted'
  | 'memory_removed';

export interface AuditFinding {
  readonly fault: AuditFault;
  readonly tenantId: string;
  readonly userId: string | null;
  /** Number of the affected row in the user's chain. */
  readonly seq: number | null;
  /** The memory that differs from its history. */
  readonly memoryId?: string;
}

/** Called for each finding as soon as it is found. */
export type AuditFindingHandler = (finding: AuditFinding) => void;
