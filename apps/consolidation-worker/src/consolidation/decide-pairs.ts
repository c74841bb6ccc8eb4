import {
  batchPairs,
  decideByWords,
  ENERGY_PRICES,
  MAX_PAIRS_PER_DAY,
  needsSecondAnswer,
  type PairDecision,
  type PlannedPair,
  planRun,
} from '@annals/domain';
import {
  buildConsolidationPrompt,
  type ConsolidationPrompt,
  describeRefusals,
  getConsolidationOutputTokens,
  type PairVerdict,
  type ParsedConsolidation,
  parseConsolidation,
} from '@annals/llm-core';
import type { JobAttempt, MindAnswer, MindCaller, MindRun, MindSetback } from '@annals/runtime';

/** What decides about pairs, and how much of it. */
export interface PairDeciders {
  /** Null: words alone decide. */
  readonly caller: Pick<MindCaller, 'call'> | null;
  /** Quotes of the sources, by memory. */
  readonly quotes: ReadonlyMap<string, readonly string[]>;
  /** Takes what a call needs from the allowance of the day; null when it does not fit. `settle`: after the call. */
  readonly allow: (need: { readonly pairs: number; readonly tokens: number }) => Promise<Allowance | null>;
  /** Whether there is time for another question. The first one of a run is asked in any case. */
  readonly hasTime: () => boolean;
}

export interface Allowance {
  /** Gives back what the call did not take. False when nobody was asked: no provider has received it. */
  settle(): Promise<boolean>;
}

/** Decisions in the order of the pairs. `stop`: why the others were not decided; null when all were. */
export interface DecidedPairs {
  readonly decisions: readonly PairDecision[];
  readonly asked: number;
  readonly model: { readonly provider: string; readonly model: string } | null;
  readonly stop: MindSetback | 'limit' | null;
}

type Context = Pick<JobAttempt, 'signal' | 'withoutSlot'> & { readonly run: MindRun };
type Proposal = { readonly pair: PlannedPair; readonly decision: PairDecision };

/** A character is at most this part of a token, and a correction repeats the call: no call takes more than it drew. */
const TOKENS_PER_CHARACTER = 0.5;
const CALLS = 2;

/** Decides about pairs: by words where they are enough, else by a model in batches, where there is one. */
export class PairDecider {
  private readonly decided = new Map<PlannedPair, PairDecision>();
  private asked = 0;
  private model: DecidedPairs['model'] = null;
  private stop: DecidedPairs['stop'] = null;

  constructor(
    private readonly deciders: PairDeciders,
    private readonly context: Context,
  ) {}

  async decide(pairs: readonly PlannedPair[]): Promise<DecidedPairs> {
    const open: PlannedPair[] = [];
    for (const pair of pairs) {
      const decision = { ...decideByWords(pair), quotes: this.quotesOf(pair) };
      if (this.deciders.caller === null || decision.verdict === 'merge') this.decided.set(pair, decision);
      else open.push(pair);
    }
    const unsure: Proposal[] = [];
    for (const batch of batchPairs(open)) unsure.push(...(await this.askAbout(batch)));
    await this.confirm(unsure);
    const decisions = pairs.flatMap((pair) => this.decided.get(pair) ?? []);
    return { decisions, asked: this.asked, model: this.model, stop: this.stop };
  }

  /** Decides about a batch; returns the merges that a second answer has to confirm. */
  private async askAbout(batch: readonly PlannedPair[]): Promise<Proposal[]> {
    const answer = await this.ask(batch, (pair) => pair, batch.length);
    if (!answer) return [];
    const proposals = batch.map((pair, position) => ({ pair, decision: this.toDecision(pair, answer, position) }));
    const unsure = proposals.filter(({ decision }) => needsSecondAnswer(decision) && isLetThrough(decision));
    for (const { pair, decision } of proposals) {
      if (!unsure.some((one) => one.pair === pair)) this.decided.set(pair, decision);
    }
    return unsure;
  }

  /** Asks again with both memories of each pair exchanged: the merge is written when the second answer merges as well. */
  private async confirm(unsure: readonly Proposal[]): Promise<void> {
    for (const batch of batchPairs(unsure)) {
      const answer = await this.ask(
        batch.map(({ pair }) => pair),
        ({ a, b, ...pair }) => ({ ...pair, a: b, b: a }),
        0,
      );
      if (!answer) return;
      for (const [position, { pair, decision }] of batch.entries()) {
        const second = this.toDecision(pair, answer, position);
        const isAgreed = second.verdict === 'merge' && isLetThrough(second);
        this.decided.set(pair, isAgreed ? decision : { pair, by: 'model', verdict: 'apart' });
      }
    }
  }

  /** Null when there is no answer: then nothing more is asked (`stop`). */
  private async ask(
    pairs: readonly PlannedPair[],
    show: (pair: PlannedPair) => PlannedPair,
    counted: number,
  ): Promise<ParsedConsolidation | null> {
    if (this.stop !== null) return null;
    const prompt = buildConsolidationPrompt(pairs.map(show));
    const maxOutputTokens = getConsolidationOutputTokens(pairs.length);
    const shown = prompt.system.length + prompt.user.length;
    const tokens = CALLS * (Math.ceil(shown * TOKENS_PER_CHARACTER) + maxOutputTokens) + maxOutputTokens;
    const mayBegin = this.model === null || this.deciders.hasTime();
    const allowance = mayBegin ? await this.deciders.allow({ pairs: counted, tokens }) : null;
    if (!allowance) {
      this.stop = 'limit';
      return null;
    }
    const answer = await this.call(pairs, prompt, maxOutputTokens);
    if (await allowance.settle()) this.asked += counted;
    if (answer.outcome !== 'answered') {
      this.stop = answer;
      return null;
    }
    this.model = { provider: answer.provider.name, model: answer.provider.model };
    return answer.value;
  }

  private call(
    pairs: readonly PlannedPair[],
    prompt: ConsolidationPrompt,
    maxOutputTokens: number,
  ): Promise<MindAnswer<ParsedConsolidation>> {
    const { run, signal, withoutSlot } = this.context;
    return this.deciders.caller!.call({
      run,
      operation: 'consolidation',
      task: 'consolidate_memories',
      prompt,
      maxOutputTokens,
      energy: ENERGY_PRICES.pair_batch,
      parse: (text) => parseConsolidation(text, prompt),
      describeProblem: (answer) => this.describeProblem(pairs, answer),
      signal,
      withoutSlot,
    });
  }

  private describeProblem(pairs: readonly PlannedPair[], answer: ParsedConsolidation): string | null {
    const refused = pairs.flatMap((pair, position) => {
      const problems = planRun([this.toDecision(pair, answer, position)], []).refused.flatMap((one) => one.problems);
      return problems.length > 0 ? [{ position, problems }] : [];
    });
    return describeRefusals(refused);
  }

  /** A pair that the answer leaves out stays as it is, and counts as decided: it is not asked about every day. */
  private toDecision(pair: PlannedPair, { verdicts }: ParsedConsolidation, position: number): PairDecision {
    const verdict: PairVerdict = verdicts.get(position) ?? { verdict: 'apart' };
    return { pair, by: 'model', quotes: this.quotesOf(pair), ...verdict };
  }

  private quotesOf({ a, b }: PlannedPair): readonly string[] {
    return [a, b].flatMap(({ id }) => this.deciders.quotes.get(id) ?? []);
  }
}

function isLetThrough(decision: PairDecision): boolean {
  return planRun([decision], []).refused.length === 0;
}

/** Pairs that a user has left on a day. */
export function countPairsLeft(asked: number): number {
  return Math.max(0, MAX_PAIRS_PER_DAY - asked);
}
