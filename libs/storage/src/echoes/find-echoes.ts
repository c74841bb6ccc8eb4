import {
  type EchoedStatement,
  findEchoes,
  findEchoUnits,
  identifyTurnSpeaker,
  listLookupTerms,
  pauseInTransaction,
  readRest,
  readStatement,
  readTurn,
  type ReplacedStatement,
  runInSlices,
  type Sliced,
  type TurnRest,
  type TurnSpeaker,
} from '@annals/domain';
import type { Tx } from '../database/transaction.js';
import type { LexicalUnitEntity } from '../entities/lexical-index.entity.js';
import type { MemoryEntity } from '../entities/memory.entity.js';
import type { MessageEntity } from '../entities/message.entity.js';
import { readPostings } from '../lexical/read-postings.js';

/** A memory that has ended or was deleted. */
export type OverMemory = Readonly<Pick<MemoryEntity, 'id' | 'content'>>;

/** A turn that repeats a memory. */
export interface FoundEcho {
  readonly messageId: string;
  readonly memoryId: string;
}

type Statement = EchoedStatement & { readonly memoryId: string };

function toStatements(memories: readonly OverMemory[]): Statement[] {
  return memories.flatMap(({ id, content }) => {
    const statement = readStatement(content);
    return statement ? [{ ...statement, memoryId: id }] : [];
  });
}

/** Memories whose echoes are looked up together: bounds the terms, and the turns that are read. */
const LOOKUP_PAGE = 50;

/** Turns that are compared with one memory: the newest of those with enough of its terms. */
const MAX_UNITS = 500;

interface IndexedEchoes {
  readonly echoes: readonly FoundEcho[];
  /** Ids of the memories that more turns may repeat than were compared. */
  readonly unfinished: readonly string[];
}

/**
 * The turns in the user's index that repeat any of these memories (docs/reference/recall.md#echoes), of the newest
 * `maxUnits` for each that have its words. Two round trips for every 50 memories.
 */
export async function findIndexedEchoes(
  tx: Tx,
  userId: string,
  memories: readonly OverMemory[],
  maxUnits = MAX_UNITS,
): Promise<IndexedEchoes> {
  const statements = toStatements(memories);
  const [echoes, unfinished]: [FoundEcho[], string[]] = [[], []];
  for (let start = 0; start < statements.length; start += LOOKUP_PAGE) {
    const page = await findEchoesOfPage(tx, userId, statements.slice(start, start + LOOKUP_PAGE), maxUnits);
    echoes.push(...page.echoes);
    unfinished.push(...page.unfinished);
  }
  return { echoes, unfinished };
}

async function findEchoesOfPage(
  tx: Tx,
  userId: string,
  statements: readonly Statement[],
  maxUnits: number,
): Promise<IndexedEchoes> {
  const terms = [...new Set(statements.flatMap(listLookupTerms))];
  const lists = await readPostings(tx, userId, { kinds: ['turn'], terms });
  const ofUnit = new Map<number, Statement[]>();
  const unfinished: string[] = [];
  for (const statement of statements) {
    const units = findEchoUnits(lists, statement);
    if (units.length > maxUnits) unfinished.push(statement.memoryId);
    for (const unit of units.slice(0, maxUnits)) ofUnit.set(unit, [...(ofUnit.get(unit) ?? []), statement]);
  }
  if (ofUnit.size === 0) return { echoes: [], unfinished };
  const turns = await tx.query<TurnRow & Pick<LexicalUnitEntity, 'unit'>>(
    // OFFSET keeps the look-up by key, since the planner cannot know how few units are requested.
    `SELECT g.id, g.role, g.actor_id, g.content, u.unit
       FROM (SELECT l.unit, l.message_id FROM lexical_units l WHERE l.user_id = $1 AND l.unit = ANY ($2) OFFSET 0) u
       JOIN messages g ON g.id = u.message_id
      WHERE g.hidden_at IS NULL
      ORDER BY g.id`,
    [userId, [...ofUnit.keys()]],
  );
  const echoes: FoundEcho[] = [];
  for (const turn of turns) echoes.push(...(await compareTurn(userId, turn, ofUnit.get(turn.unit)!)));
  return { echoes, unfinished };
}

/** A turn as it is compared with memories. */
type TurnRow = Pick<MessageEntity, 'id' | 'actor_id' | 'content'> & { readonly role: string };

/** Which of these memories each of the turns repeats. */
export async function findEchoesInTurns(
  userId: string,
  turns: readonly TurnRow[],
  memories: readonly OverMemory[],
): Promise<FoundEcho[]> {
  const statements = toStatements(memories);
  const found: FoundEcho[] = [];
  for (const turn of statements.length === 0 ? [] : turns) found.push(...(await compareTurn(userId, turn, statements)));
  return found;
}

async function compareTurn(userId: string, turn: TurnRow, statements: readonly Statement[]): Promise<FoundEcho[]> {
  const echoes = await runInSlices(compare(userId, turn, statements), pauseInTransaction);
  return echoes.map(({ statement }) => ({ messageId: turn.id, memoryId: statement.memoryId }));
}

function* compare(userId: string, { role, actor_id: actorId, content }: TurnRow, statements: readonly Statement[]) {
  const turn = yield* readTurn(content, identifyTurnSpeaker(userId, { role, actorId }));
  return yield* findEchoes(turn, statements);
}

/** What a turn says beside what was replaced of it; `holdingQuotes`: its words that what holds is based on. */
export function readBesides(
  speaker: TurnSpeaker,
  { content }: Pick<MessageEntity, 'content'>,
  replaced: readonly ReplacedStatement[],
  holdingQuotes: readonly string[],
): Promise<TurnRest> {
  const read = function* (): Sliced<TurnRest> {
    return yield* readRest(yield* readTurn(content, speaker), replaced, holdingQuotes);
  };
  return runInSlices(read(), pauseInTransaction);
}
