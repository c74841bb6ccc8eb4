import type { EnergyKind, EnergyLimits } from '@annals/domain';
import {
  LLMError,
  type LLMErrorType,
  type LLMProvider,
  type ModelPrompt,
  type ModelTask,
  NO_CONVERSATION,
} from '@annals/llm-core';
import { addMindRunCosts, drawEnergy, type EnergyDraw, giveEnergyBack, type MindRunCosts } from '@annals/storage';
import type { Infrastructure } from '../infrastructure/infrastructure.js';
import type { JobAttempt } from '../leased-job/run-leased-job.js';
import { buildBilledCall } from '../model-calls/build-prompt-call.js';
import { explainRefusal } from '../model-calls/metered-call.js';
import type { AnsweredCall, ModelCalls } from '../model-calls/model-calls.js';
import { type Deferral, isRefusedUnread, planDeferral, planOutage } from '../work-job/plan-deferral.js';
import type { MindRun, MindSetback } from './mind-stage.js';

/** The models of minds, and how much they may draw. */
export interface MindModels {
  /** As configured for extraction, in order of preference; local ones are left out. */
  readonly providers: readonly LLMProvider[];
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
  readonly energy: EnergyLimits;
}

/** One question to a model. */
export interface MindQuestion<T> extends Pick<JobAttempt, 'signal' | 'withoutSlot'> {
  readonly run: MindRun;
  /** Under which it is in the ledger, and draws energy. */
  readonly operation: EnergyKind;
  readonly task: ModelTask;
  readonly prompt: ModelPrompt;
  readonly maxOutputTokens: number;
  /** As in `LLMRequest`. */
  readonly temperature?: number;
  /** Units that each call draws (`ENERGY_PRICES`). */
  readonly energy: number;
  /** Time in ms for all calls of the question, the correction included; by default each call has its own timeout. */
  readonly timeLimitMs?: number;
  /** Reads the answer; throws an LLMError when it is unreadable. */
  readonly parse: (text: string) => T | Promise<T>;
  /** What is wrong with what was read, as a sentence for the model that quotes nothing; null when nothing is. */
  readonly describeProblem?: (value: T) => string | null | Promise<string | null>;
}

/** Why there is no answer. */
type Unanswered =
  Extract<MindSetback, { outcome: 'wait' }> | { readonly outcome: 'failed'; readonly code: LLMErrorType };

export type MindAnswer<T> =
  | {
      readonly outcome: 'answered';
      readonly value: T;
      /** What is still wrong after the correction; null when nothing is. */
      readonly problem: string | null;
      /** What was read before a correction; null when there was none, or nothing could be read. */
      readonly first: T | null;
      /** Until when a correction waits that could not be asked for: null when it was, or nothing is wrong. */
      readonly postponed: Deferral | null;
      readonly provider: LLMProvider;
    }
  | Unanswered;

/**
 * How a run ends that cannot use an answer. Where its correction waits for energy or a provider, the run does, too: the
 * question is asked anew then, and the call that brought nothing counts as failed, so that this has an end.
 */
export function rejectAnswer(
  run: MindRun,
  { postponed }: Pick<Extract<MindAnswer<unknown>, { outcome: 'answered' }>, 'postponed'>,
): Extract<MindSetback, { outcome: 'wait' }> | null {
  if (postponed === null) return null;
  run.failedCalls += 1;
  return { outcome: 'wait', ending: postponed };
}

type CallerDependencies = Pick<Infrastructure, 'database' | 'clock' | 'rng' | 'metrics'>;

interface Correction {
  readonly answer: string;
  readonly problem: string;
}

type EnergyUse = Pick<MindQuestion<unknown>, 'run' | 'operation' | 'energy'>;

/** One call of a question. */
interface Ask {
  /** 0, or 1 for the correction. */
  readonly index: number;
  readonly correction: Correction | null;
  /** The provider whose answer is corrected. */
  readonly only?: LLMProvider;
  /** By the monotonic clock: when the question's time is over. */
  readonly endsAtMs: number;
}

type Reply =
  | {
      readonly outcome: 'replied';
      readonly text: string;
      readonly provider: LLMProvider;
      readonly call: AnsweredCall<unknown>;
    }
  | Unanswered;

/**
 * Calls models for minds; null when none is configured, and minds work by rules
 * (docs/reference/minds.md#without-a-model).
 */
export function createMindCaller(
  infrastructure: CallerDependencies & Pick<Infrastructure, 'modelCalls'>,
  models: MindModels,
): MindCaller | null {
  const providers = models.providers.filter((provider) => provider.getCapabilities().remote);
  const { modelCalls } = infrastructure;
  return modelCalls && providers.length > 0
    ? new MindCaller(infrastructure, modelCalls, { ...models, providers })
    : null;
}

export class MindCaller {
  constructor(
    private readonly deps: CallerDependencies,
    private readonly calls: ModelCalls,
    private readonly models: MindModels,
  ) {}

  /**
   * Asks a model once, and a second time when its answer is unreadable or has a problem. Each call draws energy first;
   * without enough, or while budget or provider refuse, the run waits. Its costs are added to the run.
   * @throws CoordinationUnavailableError, DatabaseUnavailableError, or the reason of the aborted signal
   */
  async call<T>(question: MindQuestion<T>): Promise<MindAnswer<T>> {
    const endsAtMs = this.deps.clock.monotonicNow() + (question.timeLimitMs ?? Infinity);
    const reply = await this.ask(question, { index: 0, correction: null, endsAtMs });
    if (reply.outcome !== 'replied') return reply;
    const first = await this.read(question, reply);
    if (first.outcome === 'read' && first.problem === null) {
      const { provider } = reply;
      return { outcome: 'answered', value: first.value, problem: null, first: null, postponed: null, provider };
    }
    const { problem } = first;
    const correction = { answer: reply.text, problem: problem! };
    const again = await this.ask(question, { index: 1, correction, only: reply.provider, endsAtMs });
    const earlier = first.outcome === 'read' ? first : null;
    if (again.outcome === 'replied') {
      const second = await this.read(question, again);
      if (second.outcome === 'read') {
        const { value, problem: remaining } = second;
        const { provider } = again;
        const before = earlier?.value ?? null;
        return { outcome: 'answered', value, problem: remaining, first: before, postponed: null, provider };
      }
    }
    // The first answer is paid for, and its problem is known to who asked.
    if (earlier) {
      const { value, problem: known } = earlier;
      const postponed = again.outcome === 'wait' ? again.ending : null;
      return { outcome: 'answered', value, problem: known, first: null, postponed, provider: reply.provider };
    }
    return again.outcome === 'replied' ? { outcome: 'failed', code: 'parsing' } : again;
  }

  /** Reads an answer and settles its call; an unreadable one counts as a failed call. */
  private async read<T>(question: MindQuestion<T>, { text, call }: Extract<Reply, { outcome: 'replied' }>) {
    let value: T;
    try {
      value = await question.parse(text);
    } catch (error) {
      if (!(error instanceof LLMError)) {
        await call.close('not_written');
        throw error;
      }
      await call.reject(error, { text, problem: error.message });
      question.run.failedCalls += 1;
      return { outcome: 'unreadable', problem: error.message } as const;
    }
    await call.close('not_written');
    return { outcome: 'read', value, problem: (await question.describeProblem?.(value)) ?? null } as const;
  }

  /** One call, of the first provider that is not refused. */
  private async ask<T>(question: MindQuestion<T>, ask: Ask): Promise<Reply> {
    const { withoutSlot } = question;
    if (this.measureTimeLeft(ask) <= 0) return { outcome: 'failed', code: 'timeout' };
    const draw = await this.draw(question);
    if (!draw.drawn) {
      const refillMs = (question.energy / this.models.energy.refillPerHour) * HOUR_MS;
      // What waits with a correction asks the whole question anew: it needs the energy of both calls then.
      const until = draw.until + (ask.correction ? Math.ceil(refillMs) : 0);
      // Somebody waits for a run by hand: it does not stand in line.
      const ahead = draw.why === 'low' && question.run.trigger !== 'manual' ? draw.waiting : 0;
      return { outcome: 'wait', ending: this.waitForEnergy(until, ahead * refillMs) };
    }
    let isSent = true;
    try {
      const reply = await withoutSlot(() => this.send(question, ask));
      isSent = reply.outcome !== 'wait';
      return reply;
    } catch (error) {
      // Only an aborted call may have been sent: without a store nothing is.
      isSent = question.signal.aborted;
      throw error;
    } finally {
      if (!isSent) await this.giveBack(question, draw.day);
    }
  }

  /** Time in ms that is left of the question, at most the timeout of a call. */
  private measureTimeLeft({ endsAtMs }: Ask): number {
    return Math.min(this.models.timeoutMs, endsAtMs - this.deps.clock.monotonicNow());
  }

  private async send<T>(question: MindQuestion<T>, ask: Ask): Promise<Reply> {
    const { run, operation, task, prompt, temperature, signal } = question;
    const { index, correction, only } = ask;
    let refusal: LLMError | undefined;
    for (const provider of only ? [only] : this.models.providers) {
      const maxOutputTokens = Math.min(question.maxOutputTokens, this.models.maxOutputTokens);
      // Billed to nobody: the user may be erased before the call is settled.
      const billing = { tenantId: run.work.tenantId, userId: null, batch: null };
      const call = buildBilledCall(billing, {
        operation,
        provider,
        request: {
          requestId: `${run.id}-${index}`,
          task,
          conversation: NO_CONVERSATION,
          prompt,
          ...(correction ? { correction } : {}),
          maxOutputTokens,
          ...(temperature === undefined ? {} : { temperature }),
        },
        expectedTokens: provider.estimateTokens(prompt.system + prompt.user) + maxOutputTokens,
        yieldsToInteractive: true,
        attempt: index + 1,
        timeoutMs: Math.max(1, Math.ceil(this.measureTimeLeft(ask))),
        signal,
        send: async (request) => ({ response: await provider.send(request) }),
      });
      const result = await this.calls.run(call);
      if (result.outcome === 'answered') {
        await this.addCosts(run, result.usage, result.costMicroUsd);
        return { outcome: 'replied', text: result.value.response.text, provider, call: result };
      }
      if (result.outcome === 'refused') {
        refusal ??= explainRefusal(result, provider.name, this.deps.clock.now());
        continue;
      }
      if (result.error.sent === false) {
        refusal ??= result.error;
        continue;
      }
      await this.addCosts(run, result.error.usage, result.costMicroUsd);
      if (isRefusedUnread(result.error)) {
        refusal ??= result.error;
        continue;
      }
      run.failedCalls += 1;
      return { outcome: 'failed', code: result.error.type };
    }
    const input = { attempts: run.work.attempts, now: this.deps.clock.now(), rng: this.deps.rng };
    return { outcome: 'wait', ending: planDeferral(refusal, input) ?? planOutage(input) };
  }

  private draw({ run, operation: kind, energy: units }: EnergyUse): Promise<EnergyDraw> {
    const { database, clock, metrics } = this.deps;
    const request = { kind, units, now: clock.now(), limits: this.models.energy };
    return database
      .inTenant(run.work.tenantId, async (tx) => {
        const draw = await drawEnergy(tx, request);
        if (draw.drawn) await addMindRunCosts(tx, run.id, { ...NO_COSTS, energyMilli: units * 1_000 });
        return draw;
      })
      .then((draw) => {
        if (draw.drawn) metrics.add('memory_llm_energy_drawn_total', units, { kind });
        return draw;
      });
  }

  /** Best effort: energy that is not given back is only missing until it is refilled. */
  private async giveBack({ run, operation: kind, energy: units }: EnergyUse, day: string): Promise<void> {
    const { database, clock, metrics } = this.deps;
    const request = { kind, units, now: clock.now(), limits: this.models.energy, day };
    const given = database.inTenant(run.work.tenantId, async (tx) => {
      await giveEnergyBack(tx, request);
      await addMindRunCosts(tx, run.id, { ...NO_COSTS, energyMilli: -units * 1_000 });
    });
    await given.then(
      () => metrics.add('memory_llm_energy_returned_total', units, { kind }),
      () => undefined,
    );
  }

  /**
   * Best effort: the ledger has the costs. An answer that is paid for is not lost, nor its energy given back, because the
   * run's sums could not be written.
   */
  private async addCosts(
    { id, work }: MindRun,
    usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined,
    costMicroUsd: number,
  ): Promise<void> {
    const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
    const added = this.deps.database.inTenant(work.tenantId, (tx) =>
      addMindRunCosts(tx, id, { ...NO_COSTS, calls: 1, inputTokens, outputTokens, costMicroUsd }),
    );
    await added.catch(() => undefined);
  }

  /**
   * Spread over the time in which as much energy comes as waits for it (`turnMs`), so that about as many are tried as can
   * draw: of all that came back at once, the first ones would take what there is, and the rest would have read for nothing.
   */
  private waitForEnergy(until: number, turnMs: number): Extract<MindSetback, { outcome: 'wait' }>['ending'] {
    const spreadMs = Math.min(Math.max(turnMs, MIN_ENERGY_SPREAD_MS), MAX_ENERGY_SPREAD_MS);
    return { ends: 'deferred', reason: 'energy', until: until + Math.floor(this.deps.rng.nextFloat() * spreadMs) };
  }
}

const HOUR_MS = 3_600_000;
const MIN_ENERGY_SPREAD_MS = 60_000;
const MAX_ENERGY_SPREAD_MS = 24 * HOUR_MS;
const NO_COSTS: MindRunCosts = { calls: 0, energyMilli: 0, inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
