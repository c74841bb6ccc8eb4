import type { MemoryType } from '@annals/contracts';
import { hashContent } from '../hash/content-hash.js';
import { classifyPair, type MergeBands } from '../meaning/classify-pair.js';
import type { SlotInput } from '../meaning/extract-slot.js';
import { hasSameFacts } from '../meaning/is-rewording.js';
import type { MemoryChange, PlannedLink } from './types.js';

export interface RequestedChanges {
  readonly changes: readonly MemoryChange[];
  readonly links: readonly PlannedLink[];
}

/** The vectors of new statements by content, of one embedding model, and that model's similarity bands. */
export interface StatementVectors {
  readonly model: string;
  readonly bands: MergeBands;
  /** Vectors are at unit length. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

/** A current memory near a new statement. Times are epoch ms. */
export interface Neighbour {
  readonly statement: string;
  readonly memoryId: string;
  readonly cosine: number;
  readonly revision: number;
  readonly content: string;
  readonly category: string;
  readonly type: MemoryType;
  readonly validFrom: number;
  /** Whether both are stored and have vectors of another model too: they are related at most, and stay two memories. */
  readonly comparedBefore?: boolean;
}

/** A model's decision about a new statement (its content's hash) and a memory at the revision that it was shown. */
export interface StoredDecision {
  readonly hash: string;
  readonly memoryId: string;
  readonly revision: number;
  /** `replaces`: the memory ends where the statement begins, or the statement ends where the memory begins. */
  readonly verdict: 'same' | 'replaces' | 'apart';
}

/** A new statement and a neighbouring memory that the rules cannot classify, so that a model has to decide. */
export interface OpenPair {
  readonly hash: string;
  readonly neighbour: Neighbour;
}

/** The requested changes with their matches among stored memories, and the pairs that are undecided. */
export interface ClassifiedChanges extends RequestedChanges {
  readonly open: readonly OpenPair[];
}

/** Maximum edges of a new memory, to the nearest (docs/reference/memory-model.md#relations-between-memories). */
export const MAX_EDGES = 5;

export const EDGE_TYPE = 'related_to';

/** What statements are compared with. Of several decisions about a pair, the last one holds. */
interface Evidence extends Pick<StatementVectors, 'bands' | 'vectors'> {
  readonly neighbours: readonly Neighbour[];
  readonly decisions: readonly StoredDecision[];
}

/** Verdicts by statement hash, memory id and revision: they do not apply to a memory that has changed since. */
type Verdicts = ReadonlyMap<string, StoredDecision['verdict']>;

/** Classifies every statement against its neighbours: which is the same, which ones it replaces, which are related. */
export function classifyStatements(requested: RequestedChanges, evidence: Evidence): ClassifiedChanges {
  const verdicts: Verdicts = new Map(
    evidence.decisions.map(({ hash, verdict, ...memory }) => [toPairKey(hash, memory), verdict]),
  );
  const open: OpenPair[] = [];
  const links: PlannedLink[] = [...requested.links];
  const changes = requested.changes.map((change, index) => {
    if (!isCompared(change) || !evidence.vectors.has(statementOf(change).content)) return change;
    const classified = classifyStatement(change, evidence, verdicts);
    open.push(...classified.open);
    links.push(...linkStatement(requested, index, classified.related, evidence));
    return classified.change;
  });
  return { changes, links, open };
}

function toPairKey(hash: string, { memoryId, revision }: Pick<Neighbour, 'memoryId' | 'revision'>): string {
  return `${hash} ${memoryId} ${revision}`;
}

type ComparedChange = Extract<MemoryChange, { kind: 'observe' | 'compare' }>;

function isCompared(change: MemoryChange): change is ComparedChange {
  return change.kind === 'observe' || change.kind === 'compare';
}

/** A new statement, or one that was stored before it had a vector. */
function statementOf(change: ComparedChange): SlotInput {
  return change.kind === 'observe' ? change.memory : change.statement;
}

function classifyStatement(
  change: ComparedChange,
  { neighbours, bands }: Evidence,
  decided: Verdicts,
): { change: ComparedChange; related: Neighbour[]; open: OpenPair[] } {
  const memory = statementOf(change);
  const hash = hashContent(memory.content);
  // Insights are compared with each other when they are made, and are no statements.
  const near = neighbours.filter(
    ({ statement, type }) => statement === memory.content && type !== 'insight' && memory.type !== 'insight',
  );
  const verdicts = near
    // Equal content is the same memory, whatever the cosine.
    .filter(({ content }) => hashContent(content) !== hash)
    .map((neighbour) => {
      const verdict = classifyPair(memory, neighbour, neighbour.cosine, bands);
      const answer = verdict === 'undecided' ? (decided.get(toPairKey(hash, neighbour)) ?? 'undecided') : verdict;
      const isApart = answer === 'same' && (neighbour.comparedBefore === true || loses(memory, neighbour));
      return { neighbour, verdict: isApart ? ('apart' as const) : answer };
    });
  const neighboursWith = (expected: string) =>
    verdicts.filter(({ verdict }) => verdict === expected).map((one) => one.neighbour);
  const sames = neighboursWith('same');
  const [same] = sames;
  const replaced = same ? [] : neighboursWith('replaces');
  const matches = {
    ...(same ? { sameAs: same } : {}),
    ...(replaced.length > 0 ? { replaces: replaced } : {}),
  };
  const known = same !== undefined || replaced.length > 0;
  const matched = change.kind === 'compare' ? { ...change, same: sames } : { ...change, matches };
  return {
    change: known ? matched : change,
    // Related by their cosine, whatever a model decides.
    related: verdicts.filter(({ verdict }) => verdict !== 'same' && verdict !== 'replaces').map((one) => one.neighbour),
    open: neighboursWith('undecided').map((neighbour) => ({ hash, neighbour })),
  };
}

/** A model may call two statements the same; a number, name or negation that only the new one has must not be lost. */
function loses(statement: { readonly content: string }, known: { readonly content: string }): boolean {
  return !hasSameFacts(statement.content, known.content);
}

interface Edge {
  readonly link: PlannedLink;
  readonly strength: number;
}

/** The strongest edges of one statement, to stored memories and to statements before it in the batch. */
function linkStatement(
  { changes, links }: RequestedChanges,
  from: number,
  related: readonly Neighbour[],
  { vectors, bands }: Evidence,
): PlannedLink[] {
  const change = changes[from] as ComparedChange;
  const vector = vectors.get(statementOf(change).content)!;
  // A stored memory keeps its own relations, also when another one is merged into it.
  const start = change.kind === 'observe' ? { from } : { fromMemoryId: change.memoryId };
  const stored = related
    .filter(({ cosine }) => cosine >= bands.link)
    .map(({ memoryId, cosine }) => edge(cosine, { ...start, toMemoryId: memoryId }));
  // Stored statements are neighbours of each other.
  const earlier = change.kind === 'observe' ? changes.slice(0, from) : [];
  const within = earlier.flatMap((other, to) => {
    const otherVector = other.kind === 'observe' ? vectors.get(other.memory.content) : undefined;
    const isLinked = links.some((link) => 'from' in link && 'to' in link && isBetween(link, from, to));
    const cosine = otherVector && !isLinked ? dot(vector, otherVector) : 0;
    return cosine >= bands.link ? [edge(cosine, { from, to })] : [];
  });
  return [...stored, ...within]
    .toSorted((a, b) => b.strength - a.strength)
    .slice(0, MAX_EDGES)
    .map(({ link }) => link);
}

function edge(
  cosine: number,
  ends: ({ from: number } | { fromMemoryId: string }) & ({ toMemoryId: string } | { to: number }),
): Edge {
  const strength = Math.min(1, Math.max(0, cosine));
  return { link: { ...ends, relationType: EDGE_TYPE, strength }, strength };
}

function isBetween(link: { from: number; to: number }, a: number, b: number): boolean {
  return (link.from === a && link.to === b) || (link.from === b && link.to === a);
}

/** Vectors are at unit length, so this is their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}
