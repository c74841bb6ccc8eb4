/**
 * Waits a few seconds for tables that a migration changes, and only then for each: whoever comes after a waiting
 * migration waits for it, so it must not wait for a long transaction of another. `migrate` tries again. Name the tables
 * in the order in which writers lock them (docs/reference/writes.md#lock-the-users-row-first), so that none of them
 * waits for the migration while it waits for them.
 */
export function lockTables(tables: readonly string[]): string {
  const names = tables.map((table) => `annals.${table}`).join(', ');
  return `SET LOCAL lock_timeout = '3s'; LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`;
}
