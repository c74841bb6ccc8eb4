import { listLookupTerms } from './look-up-echoes.js';
import type { EchoedStatement } from './read-statement.js';
import type { EchoingTurn } from './read-turn.js';

/** Statements by the terms by which their echoes are found, for many turns to be compared with. */
export interface StatementIndex<Statement extends EchoedStatement> {
  readonly statements: readonly Statement[];
  readonly byTerm: ReadonlyMap<string, readonly Statement[]>;
}

export function indexStatements<Statement extends EchoedStatement>(
  statements: readonly Statement[],
): StatementIndex<Statement> {
  const byTerm = new Map<string, Statement[]>();
  for (const statement of statements) {
    for (const term of listLookupTerms(statement)) {
      const having = byTerm.get(term);
      if (having === undefined) byTerm.set(term, [statement]);
      else having.push(statement);
    }
  }
  return { statements, byTerm };
}

/** The statements with enough terms in a turn for it to be an echo of them, in the order in which they were indexed. */
export function listCandidates<Statement extends EchoedStatement>(
  { statements, byTerm }: StatementIndex<Statement>,
  { sentences }: EchoingTurn,
): Statement[] {
  const counts = new Map<Statement, number>();
  for (const term of new Set(sentences.flatMap(({ positions }) => [...positions.keys()]))) {
    for (const statement of byTerm.get(term) ?? []) counts.set(statement, (counts.get(statement) ?? 0) + 1);
  }
  return statements.filter((statement) => (counts.get(statement) ?? 0) >= statement.floor);
}
