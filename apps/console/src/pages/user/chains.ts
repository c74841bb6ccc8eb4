import type { Memory } from '@annals/sdk';

type Statement = Pick<Memory, 'id' | 'superseded_by' | 'valid_from' | 'valid_to'>;

/**
 * Groups statements into chains of which each replaced the one before it, the earliest first. Chains are in the order of
 * their last statement, the newest first. A statement whose successor is not given ends its chain.
 */
export function buildChains<S extends Statement>(statements: readonly S[]): S[][] {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const chains = new Map<string, S[]>();
  for (const statement of statements) {
    const last = findLast(statement, byId);
    chains.set(last.id, [...(chains.get(last.id) ?? []), statement]);
  }
  const ordered = [...chains.values()].map((chain) =>
    chain.toSorted((one, other) => Date.parse(one.valid_from) - Date.parse(other.valid_from)),
  );
  return ordered.toSorted((one, other) => Date.parse(other.at(-1)!.valid_from) - Date.parse(one.at(-1)!.valid_from));
}

/** Whether the statement held at a time in epoch ms. */
export function wasTrueAt({ valid_from, valid_to }: Pick<Statement, 'valid_from' | 'valid_to'>, at: number): boolean {
  return Date.parse(valid_from) <= at && (valid_to === null || at < Date.parse(valid_to));
}

function findLast<S extends Statement>(statement: S, byId: ReadonlyMap<string, S>): S {
  const seen = new Set<string>();
  let last = statement;
  while (last.superseded_by !== null && !seen.has(last.id)) {
    seen.add(last.id);
    const next = byId.get(last.superseded_by);
    if (!next) break;
    last = next;
  }
  return last;
}
