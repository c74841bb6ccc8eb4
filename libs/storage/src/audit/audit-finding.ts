import type { LinkFault } from '@annals/domain';

/**
 * Faults found beyond those of single rows. `cut_off`: the number of rows or the head differs from what the user's row
 * records. `unknown_user`: history exists for a user without a row. `no_receipt`: an erasure has no receipt.
 * `forged_receipt`: its signature does not verify with our key. `stray_receipt`: there is no erasure at the chain
 * position that it names. `not_erased`: the user's row records no such erasure. `rewritten`: a different row is at the
 * position of an exported head. `truncated`: no row is there. `unknown_tenant`: the tenant of an exported head no
 * longer exists.
 */
export type AuditFault =
  | LinkFault
  | 'cut_off'
  | 'unknown_user'
  | 'no_receipt'
  | 'forged_receipt'
  | 'stray_receipt'
  | 'not_erased'
  | 'rewritten'
  | 'truncated'
  | 'unknown_tenant';

export interface AuditFinding {
  readonly fault: AuditFault;
  readonly tenantId: string;
  readonly userId: string | null;
  /** Number of the affected row in the user's chain. */
  readonly seq: number | null;
}

/** Called for each finding as soon as it is found. */
export type AuditFindingHandler = (finding: AuditFinding) => void;
