import { AbortError, type MemoryQuery, type MemoryQueryAnswer, ProblemError, TimeoutError } from '@annals/sdk';
import type { ClientWith } from '../client.js';
import { defined } from '../defined.js';
import { renderProfile, renderRecalled } from './injected-block.js';
import { DEFAULT_TIMEOUT_MS, type MemoryOptions } from './options.js';
import { report } from './report.js';

/** What happened to the memory of a model call: `skipped` is a prompt without words of the user, or one to be continued. */
export type RecallStatus = 'recalled' | 'nothing' | 'skipped' | 'timeout' | 'aborted' | 'failed';

export interface Recalled {
  readonly status: RecallStatus;
  readonly block?: string | undefined;
  readonly memoryIds: readonly string[];
  /** Of the thread. */
  readonly revision: number | null;
  /** Found by words alone. */
  readonly degraded: boolean;
  /** Why it failed: a code of the API, or the name of an error. */
  readonly error?: string;
}

export const SKIPPED: Recalled = { status: 'skipped', memoryIds: [], revision: null, degraded: false };

/** A query, of the end of which is asked if it is longer: that is where a long message has its question. */
const MAX_QUERY_LENGTH = 4_000;

/** A turn of the conversation, as a step of an agent asks for its memory. */
export interface Turn {
  readonly id: string;
  readonly query: string;
  /** Of the call: a later one has answers of tools behind what the user said. */
  readonly isFirstStep: boolean;
}

/** What a turn gets of the memory. */
export interface TurnMemory {
  readonly recalled: Recalled;
  readonly profile: Recalled | undefined;
}

interface Rendered {
  readonly memories: readonly { readonly id: string }[];
  readonly block: string | undefined;
}

/** Reads the memory for model calls, and never fails. */
export class Recall {
  private profile: Promise<Recalled> | undefined;
  /** The profile, once it was read. */
  private pinned: Recalled | undefined;
  private turn: { readonly id: string; readonly memory: Promise<TurnMemory>; hasFailed: boolean } | undefined;

  constructor(
    private readonly client: ClientWith<'memory'>,
    private readonly options: MemoryOptions,
  ) {}

  /**
   * The same for each step that an agent takes in a turn, so that a memory that is slow is waited for once. A call that
   * begins with the turn anew, such as another try of the user, asks again what failed.
   */
  async forTurn(asked: Turn, signal: AbortSignal | undefined): Promise<TurnMemory> {
    const { id, query, isFirstStep } = asked;
    const known = this.turn?.id === id && !(isFirstStep && this.turn.hasFailed) ? this.turn : undefined;
    const turn = known ?? { id, memory: this.readTurn(query, signal), hasFailed: false };
    this.turn = turn;
    const memory = await turn.memory;
    const { status } = memory.recalled;
    turn.hasFailed = status === 'failed' || status === 'timeout';
    if (status !== 'aborted') return memory;
    if (this.turn === turn) this.turn = undefined;
    return known && !signal?.aborted ? this.forTurn(asked, signal) : memory;
  }

  private async readTurn(query: string, signal: AbortSignal | undefined): Promise<TurnMemory> {
    const profile = this.pinProfile(signal);
    const recalled = await this.recall(query, profile, signal);
    return { profile: await profile, recalled };
  }

  /** Read once, and the same bytes from then on: what stands at the start of a prompt must not change. */
  private async pinProfile(signal: AbortSignal | undefined): Promise<Recalled | undefined> {
    if (!this.options.profile) return undefined;
    const isShared = this.profile !== undefined;
    const reading = (this.profile ??= this.query({}, signal, ({ core, memories }) => {
      const known = [...core, ...memories];
      return { memories: known, block: renderProfile(known.map(({ text }) => text)) };
    }));
    const profile = await reading;
    if (profile.revision !== null) this.pinned = profile;
    // The next turn tries again what failed in this one.
    else if (this.profile === reading) this.profile = undefined;
    const hasOtherLeft = isShared && profile.status === 'aborted' && !signal?.aborted;
    return hasOtherLeft ? this.pinProfile(signal) : profile;
  }

  private recall(
    query: string,
    reading: Promise<Recalled | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<Recalled> {
    const { top_k, threshold, recency_weight } = this.options;
    const since_rev = this.pinned?.revision ?? undefined;
    const body = {
      ...defined({ top_k, threshold, recency_weight, since_rev }),
      query: query.slice(-MAX_QUERY_LENGTH).toWellFormed(),
      // They are in the profile. Of one that is still being read, nobody knows whether there will be any.
      ...(this.pinned?.status === 'recalled' ? { core: false } : {}),
    };
    return this.query(body, signal, async ({ header, core, memories, related }) => {
      const profile = new Set((await reading)?.memoryIds);
      const found = [...core.filter(({ id }) => !profile.has(id)), ...memories, ...related];
      const lines = found.map(({ text }) => text);
      return { memories: found, block: renderRecalled(lines, header) };
    });
  }

  private async query(
    part: Partial<MemoryQuery>,
    signal: AbortSignal | undefined,
    render: (answer: MemoryQueryAnswer) => Rendered | Promise<Rendered>,
  ): Promise<Recalled> {
    const { user, thread, agent, budget_tokens, timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const body: MemoryQuery = {
      ...part,
      ...defined({ agent, budget_tokens }),
      filters: { user_id: user },
      thread_id: thread,
    };
    try {
      const limits = { timeoutMs, maxRetries: 0, ...(signal ? { signal } : {}) };
      const answer = await this.client.memory.query(body, limits);
      const { block, memories } = await render(answer);
      return {
        status: block === undefined ? 'nothing' : 'recalled',
        block,
        memoryIds: memories.map(({ id }) => id),
        revision: answer.revision,
        degraded: answer.degraded,
      };
    } catch (error) {
      return this.explain(error);
    }
  }

  private explain(error: unknown): Recalled {
    if (error instanceof AbortError) return { ...SKIPPED, status: 'aborted' };
    report(error, this.options.onError);
    const reason = error instanceof ProblemError ? error.code : error instanceof Error ? error.name : 'Error';
    return { ...SKIPPED, status: error instanceof TimeoutError ? 'timeout' : 'failed', error: reason };
  }
}
