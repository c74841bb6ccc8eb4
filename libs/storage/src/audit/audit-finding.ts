import type { LinkFault } from '@annals/domain';

/**
 * What is wrong beyond single rows. `cut_off`: the user's row tells of more rows, or other ones, than there are.
 * `unknown_user`: there is history of a user without a row. `no_receipt`: nothing proves an erasure. `forged_receipt`:
 * its signature is not ours. `stray_receipt`: no erasure stands where it says. `not_erased`: the user's row says so.
 * `rewritten`: another row stands where an exported head was. `truncated`: none does. `unknown_tenant`: the tenant of an
 * exported head is gone.
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
  /** The row that it is about, by its number in the user's chain. */
  readonly seq: number | null;
}

/** Called with every finding as soon as there is one. */
export type AuditFindingHandler = (finding: AuditFinding) => void;
