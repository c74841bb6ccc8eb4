import type { Sliced } from '../text/sliced.js';
import { findEchoes } from './find-echo.js';
import { isBounded } from './limits.js';
import type { EchoedStatement } from './read-statement.js';
import { readTurn } from './read-turn.js';
import { listCandidates, type StatementIndex } from './statement-index.js';

/**
 * The statements that a memory says again in other words, by the rule for echoes, unless it limits them behind that
 * (docs/reference/recall.md#told-anew).
 */
export function* findRetold<Statement extends EchoedStatement>(
  content: string,
  statements: StatementIndex<Statement>,
): Sliced<Statement[]> {
  const memory = yield* readTurn(content, { is: 'nobody' });
  const echoes = yield* findEchoes(memory, listCandidates(statements, memory));
  return echoes
    .filter(({ words }) =>
      [...words].some(([index, positions]) => !isBounded(memory.sentences[index]!.tokens, Math.max(...positions))),
    )
    .map(({ statement }) => statement);
}
