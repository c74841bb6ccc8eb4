import { hash } from 'node:crypto';
import { type Chunk, type ChunkRange, cutChunks, sumTokens } from './cut-chunks.js';
import {
  selectSummaryLevel,
  type SummaryKind,
  type SummaryLevel,
  type SummaryTier,
  targetSummaryTokens,
} from './summary-level.js';
import type {
  StoredSummary,
  SummarizedMessage,
  SummaryInput,
  SummaryPlan,
  SummaryPromptName,
  SummaryStep,
} from './types.js';

/** Chunks whose summaries become one of tier L2. */
const GROUP_CHUNKS = 5;

export interface SummaryPlanInput {
  readonly kind: SummaryKind;
  /** Of what makes the summaries now; stored ones of other versions stay. */
  readonly recipe: string;
  /** All messages that are left, by `seq`. With `appendedOnly`, those after the last stored L1 are enough. */
  readonly messages: readonly SummarizedMessage[];
  /** The live ones suffice. */
  readonly stored: readonly StoredSummary[];
  /** Nothing was deleted and the kind is the same since the live summaries were made: they are taken as they are. */
  readonly appendedOnly?: boolean;
}

/**
 * Which summaries to make, from which inputs (docs/reference/summaries.md#the-tree). Chunks that are unchanged keep
 * their summaries; the whole is made of its last version and what is new, or, when something that it covers was deleted,
 * of the tiers below. So a conversation that grows costs tokens in proportion to its length, however often it is
 * summarised.
 */
export function planSummary(input: SummaryPlanInput): SummaryPlan {
  const planner = new SummaryPlanner(input);
  return planner.plan();
}

/** A summary of a lower tier, as stored or as planned. */
interface Part {
  readonly tier: SummaryTier;
  readonly position: number;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly coveredTokens: number;
  readonly coveredMessages: number;
  readonly fingerprint: string;
  /** Null while it is a step of this plan. */
  readonly id: string | null;
}

class SummaryPlanner {
  private readonly live: readonly StoredSummary[];
  private readonly steps: SummaryStep[] = [];
  private readonly needed = new Set<string>();
  private readonly trusted: readonly StoredSummary[];
  private readonly chunks: readonly Chunk[];
  private readonly totalTokens: number;
  private readonly level: SummaryLevel;

  constructor(private readonly input: SummaryPlanInput) {
    this.live = input.stored.filter(({ state, kind }) => state === 'live' && kind === input.kind);
    const storedChunks = this.listLive('L1');
    this.trusted = input.appendedOnly ? storedChunks : [];
    const trustedThrough = this.trusted.at(-1)?.toSeq ?? -Infinity;
    const known: ChunkRange[] = storedChunks.map(({ position, fromSeq, toSeq }) => ({ position, fromSeq, toSeq }));
    this.chunks = cutChunks(
      input.messages.filter(({ seq }) => seq > trustedThrough),
      known,
    );
    this.totalTokens =
      this.trusted.reduce((sum, { coveredTokens }) => sum + coveredTokens, 0) +
      this.chunks.reduce((sum, { tokens }) => sum + tokens, 0);
    this.level = selectSummaryLevel(this.totalTokens);
  }

  plan(): SummaryPlan {
    const parts = this.hasTiers() ? this.planChunks() : [];
    const groups = this.level === 'HIERARCHICAL' ? this.planGroups(parts) : [];
    if (this.level !== 'NONE') this.planWhole(parts, groups);
    const tombstones = this.input.stored
      .filter(({ state, id }) => state === 'live' && !this.needed.has(id))
      .filter(({ id }) => !this.steps.some(({ replaces }) => replaces === id))
      .map(({ id }) => id);
    return { level: this.level, steps: this.steps, tombstones };
  }

  private hasTiers(): boolean {
    return this.level === 'DETAILED' || this.level === 'HIERARCHICAL';
  }

  private listLive(tier: SummaryTier): StoredSummary[] {
    return this.live.filter((summary) => summary.tier === tier).toSorted((a, b) => a.position - b.position);
  }

  /** Closed chunks; the messages of the open one go into the whole as they are. */
  private planChunks(): Part[] {
    const parts: Part[] = this.trusted.map((summary) => this.keep(summary));
    for (const chunk of this.chunks) {
      if (!chunk.isClosed) continue;
      const { position, fromSeq, toSeq, tokens, messages } = chunk;
      const fingerprint = fingerprintOf(
        this.input.kind,
        messages.map(({ id }) => id),
      );
      parts.push(
        this.takeOrMake(
          {
            tier: 'L1',
            position,
            fromSeq,
            toSeq,
            coveredTokens: tokens,
            coveredMessages: messages.length,
            fingerprint,
          },
          'CHUNK',
          [{ type: 'messages', messages }],
        ),
      );
    }
    return parts;
  }

  /** Only groups of which all chunks are closed, so that a group is made once. */
  private planGroups(parts: readonly Part[]): Part[] {
    const last = parts.at(-1)?.position ?? -1;
    const groups: Part[] = [];
    for (let position = 0; (position + 1) * GROUP_CHUNKS - 1 <= last; position += 1) {
      const members = parts.filter((part) => Math.floor(part.position / GROUP_CHUNKS) === position);
      if (members.length === 0) continue;
      const group = {
        tier: 'L2' as const,
        position,
        fromSeq: members[0]!.fromSeq,
        toSeq: members.at(-1)!.toSeq,
        coveredTokens: members.reduce((sum, { coveredTokens }) => sum + coveredTokens, 0),
        coveredMessages: members.reduce((sum, { coveredMessages }) => sum + coveredMessages, 0),
        fingerprint: fingerprintOf(
          this.input.kind,
          members.map(({ fingerprint }) => fingerprint),
        ),
      };
      groups.push(this.takeOrMake(group, 'META', members.map(toInput)));
    }
    return groups;
  }

  private planWhole(parts: readonly Part[], groups: readonly Part[]): void {
    const prior = this.findPrior();
    const newest = this.findNewest();
    const isCurrent = prior?.toSeq === newest.toSeq && prior.level === this.level;
    if (prior && isCurrent) {
      this.keep(prior);
      return;
    }
    const isRolling = prior !== undefined && rollsOnFrom(prior, this.level);
    const since = isRolling ? prior.toSeq : -Infinity;
    const inputs = [...(isRolling ? [toInput({ ...prior, tier: 'L3' })] : []), ...this.listNew(parts, groups, since)];
    this.make(
      {
        tier: 'L3',
        position: 0,
        fromSeq: this.findOldest(),
        toSeq: newest.toSeq,
        ...this.measureThrough(newest.toSeq),
      },
      isRolling ? 'ROLLING' : this.choosePrompt(),
      inputs,
    );
  }

  private choosePrompt(): SummaryPromptName {
    if (this.level === 'BRIEF') return 'BRIEF';
    return this.level === 'STANDARD' ? 'STANDARD' : 'META';
  }

  /** The whole as it was last made, if all that it covers is as it was. */
  private findPrior(): StoredSummary | undefined {
    const [prior] = this.listLive('L3');
    return prior?.fingerprint === this.measureThrough(prior?.toSeq ?? 0).fingerprint ? prior : undefined;
  }

  /** Of the newest content: groups that are new as a whole, else new chunks, and the messages of no closed chunk. */
  private listNew(parts: readonly Part[], groups: readonly Part[], since: number): SummaryInput[] {
    const newGroups = groups.filter(({ fromSeq }) => fromSeq > since);
    const grouped = new Set(newGroups.map(({ position }) => position));
    const newParts = parts.filter(
      ({ position, toSeq }) => toSeq > since && !grouped.has(Math.floor(position / GROUP_CHUNKS)),
    );
    const summarizedThrough = parts.at(-1)?.toSeq ?? -Infinity;
    const messages = this.chunks
      .flatMap((chunk) => chunk.messages)
      .filter(({ seq }) => seq > since && seq > summarizedThrough);
    return [
      ...[...newGroups, ...newParts].toSorted((a, b) => a.fromSeq - b.fromSeq).map(toInput),
      ...(messages.length > 0 ? [{ type: 'messages' as const, messages }] : []),
    ];
  }

  private findNewest(): { readonly toSeq: number } {
    return this.chunks.at(-1) ?? this.trusted.at(-1)!;
  }

  private findOldest(): number {
    return (this.trusted[0] ?? this.chunks[0]!).fromSeq;
  }

  /**
   * The messages up to one. Messages are appended and deleted only, so the same number of them with the same tokens are
   * the same messages.
   */
  private measureThrough(seq: number): Pick<Part, 'coveredTokens' | 'coveredMessages' | 'fingerprint'> {
    const messages = this.chunks.flatMap((chunk) => chunk.messages).filter((message) => message.seq <= seq);
    const trusted = this.trusted.filter(({ toSeq }) => toSeq <= seq);
    const coveredTokens = trusted.reduce((sum, part) => sum + part.coveredTokens, sumTokens(messages));
    const coveredMessages = trusted.reduce((sum, part) => sum + part.coveredMessages, messages.length);
    const fingerprint = fingerprintOf(this.input.kind, [String(coveredMessages), String(coveredTokens)]);
    return { coveredTokens, coveredMessages, fingerprint };
  }

  private takeOrMake(part: Omit<Part, 'id'>, prompt: SummaryPromptName, inputs: readonly SummaryInput[]): Part {
    const stored = this.listLive(part.tier).find(({ position }) => position === part.position);
    if (stored?.fingerprint === part.fingerprint) return this.keep(stored);
    return this.make(part, prompt, inputs);
  }

  private keep(summary: StoredSummary): Part {
    this.needed.add(summary.id);
    return summary;
  }

  private make(part: Omit<Part, 'id'>, prompt: SummaryPromptName, inputs: readonly SummaryInput[]): Part {
    const { kind, recipe, stored } = this.input;
    const replaced = stored.find(
      ({ state, tier, position }) => state === 'live' && tier === part.tier && position === part.position,
    );
    this.steps.push({
      ...part,
      level: this.level,
      kind,
      recipe,
      prompt,
      inputs,
      targetTokens: targetSummaryTokens(part.tier, this.level, part.coveredTokens),
      replaces: replaced?.id ?? null,
    });
    return { ...part, id: null };
  }
}

function toInput({ tier, position, id }: Pick<Part, 'tier' | 'position' | 'id'>): SummaryInput {
  return { type: 'summary', tier, position, id };
}

/** One sentence is no ground to go on from, and a short text is cheaper to read again than to roll on. */
function rollsOnFrom(prior: StoredSummary, level: SummaryLevel): boolean {
  return level !== 'BRIEF' && prior.level !== 'BRIEF';
}

function fingerprintOf(kind: SummaryKind, parts: readonly string[]): string {
  return hash('sha256', `${kind}\n${parts.join('\n')}`);
}
