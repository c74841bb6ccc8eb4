/**
 * Work whose statements have a limit of their own: an agent waits for the answer of `recall`; nobody waits for `bulk`,
 * which reads or writes all of a user or tenant at once.
 */
export type StatementPath = 'recall' | 'bulk';

/** How long statements may take. Each is optional: without it, PostgreSQL's own setting applies. */
export interface StatementLimits {
  /** PostgreSQL ends a statement that takes this long. */
  readonly statementMs?: number;
  /** The same for statements of a path. */
  readonly pathMs?: Readonly<Partial<Record<StatementPath, number>>>;
  /** PostgreSQL ends a statement that waits this long for a lock. */
  readonly lockMs?: number;
}

/** Longer than PostgreSQL needs to end a statement and to say so: a server that is still silent then is gone. */
const ANSWER_GRACE_MS = 5_000;

/** The limits of `limits` on one path. */
export function limitsOfPath(limits: StatementLimits, path: StatementPath): StatementLimits {
  const statementMs = limits.pathMs?.[path];
  return statementMs === undefined ? limits : { ...limits, statementMs };
}

/** Of a transaction that work of several callers shares: one that waits for a lock must not hold up its neighbours. */
const GROUP_LOCK_MS = 200;

/** The limits of a transaction that work of several callers shares: whoever waits for a lock goes on alone. */
export function limitsOfGroup(limits: StatementLimits): StatementLimits {
  return { ...limits, lockMs: Math.min(limits.lockMs ?? Infinity, GROUP_LOCK_MS) };
}

/** Expressions of a SELECT that set the limits until the end of the transaction, each after a comma. */
export function renderLocalLimits({ statementMs, lockMs }: StatementLimits): string {
  return [...renderSetting('statement_timeout', statementMs), ...renderSetting('lock_timeout', lockMs)]
    .map((expression) => `, ${expression}`)
    .join('');
}

/** Of all settings only these: others cannot be part of the SQL text without being quoted. */
function renderSetting(name: 'statement_timeout' | 'lock_timeout', ms: number | undefined): string[] {
  return ms === undefined ? [] : [`set_config('${name}', '${Math.trunc(ms)}', true)`];
}

/** After how long a silent server counts as gone, in ms; 0: never. */
export function computeSilenceMs({ statementMs }: StatementLimits): number {
  return statementMs === undefined ? 0 : statementMs + ANSWER_GRACE_MS;
}
