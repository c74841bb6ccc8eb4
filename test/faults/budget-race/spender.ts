import { CoordinationUnavailableError } from '@annals/coordination';
import { SeededRng, SystemRng, UuidV7Generator } from '@annals/domain';
import { LLMError } from '@annals/llm-core';
import { createLogger, createMetrics } from '@annals/observability';
import { createModelCalls, type Invocation, openCoordination, type SpendingLimits } from '@annals/runtime';
import { Database, settleReservation } from '@annals/storage';
import { ShiftedClock } from '@annals/testing';
import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargeResponse, ChargeRequest } from './reference-ledger.ts';

/**
 * One process of the budget race: `spender.ts '<settings as JSON>'`. Prints the outcomes of its calls since the last
 * report: at its start, and once a second from then on.
 */
export interface SpenderSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly referenceLedgerUrl: string;
  readonly tenants: readonly string[];
  readonly providers: readonly string[];
  readonly spending: SpendingLimits;
  /** Workers of this process; 0: only reconciliation. */
  readonly workers: number;
  readonly seed: number;
  /** Added to the system time, in ms. */
  readonly clockOffsetMs: number;
  readonly callTimeoutMs: number;
  readonly settlingMarginMs: number;
  readonly maxCallCostMicroUsd: number;
}

const MODEL = 'any';
const REPORT_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 1_000;
/** Pause after a call when the store was unavailable. */
const PAUSE_MS = 20;
/** Maximum pause after a refused reservation, so that workers with budget left are not slowed down. */
const REFUSED_PAUSE_MS = 500;
const TOKENS = 100;

const settings = JSON.parse(process.argv[2] ?? '') as SpenderSettings;
const clock = new ShiftedClock(settings.clockOffsetMs);
const ids = new UuidV7Generator(clock);
const rng = new SystemRng();
const database = await Database.open({ url: settings.databaseUrl, poolSize: 12 });
// Half of the failures of the reference ledger are its own: the breaker should open sometimes, but not block the race.
// The probe of a killed process must not block a provider until others have spent the budget of the deployment.
const breaker = { minAttempts: 20, cooldownMs: 100, probeLeaseMs: 2 * settings.callTimeoutMs };
const store = { kind: 'redis', url: settings.redisUrl, prefix: settings.keyPrefix } as const;
const coordination = openCoordination(store, { breaker, rng });
const { calls, reconciler } = createModelCalls({
  database,
  coordination,
  clock,
  ids,
  logger: createLogger({ service: 'spender', level: 'error', clock }),
  metrics: createMetrics({ service: 'spender', version: '0', processMetrics: false }),
  limits: {
    spending: settings.spending,
    models: settings.providers.map((provider) => ({
      provider,
      model: MODEL,
      rates: { requestsPerMinute: null, tokensPerMinute: null },
    })),
    breaker,
    settlingMarginMs: settings.settlingMarginMs,
  },
  reconcileEveryMs: RECONCILE_EVERY_MS,
});

let counts: Record<string, number> = {};
const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
const report = (): void => {
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  counts = {};
};

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
const reporting = setInterval(report, REPORT_EVERY_MS);
reconciler.start();
report();
// It is killed: what Node compiled must not be compiled again by the next one.
flushCompileCache();
await Promise.all([
  waitForEnd(),
  ...Array.from({ length: settings.workers }, (_, worker) => spendUntilStopped(worker)),
]);
clearInterval(reporting);
report();
await reconciler.stop();
await coordination.close();
await database.close();

async function waitForEnd(): Promise<void> {
  while (!stopping.signal.aborted) await sleep(PAUSE_MS);
}

async function spendUntilStopped(worker: number): Promise<void> {
  const chance = new SeededRng(settings.seed + worker * 7_919);
  const tenantId = settings.tenants[worker % settings.tenants.length]!;
  while (!stopping.signal.aborted) {
    try {
      const outcome = await spendOnce(tenantId, chance);
      count(outcome);
      if (outcome.startsWith('refused')) await sleep(chance.nextFloat() * REFUSED_PAUSE_MS);
    } catch (error) {
      if (!(error instanceof CoordinationUnavailableError)) throw error;
      count('unavailable');
      await sleep(PAUSE_MS);
    }
  }
}

async function spendOnce(tenantId: string, chance: SeededRng): Promise<string> {
  const provider = settings.providers[Math.floor(chance.nextFloat() * settings.providers.length)]!;
  const maxCostMicroUsd = 100 + Math.floor(chance.nextFloat() ** 2 * (settings.maxCallCostMicroUsd - 100));
  const leaving = new AbortController();
  const isAborted = chance.nextFloat() < 0.05;
  const callId = ids.next();
  const result = await calls
    .run<ChargeResponse>({
      tenantId,
      userId: callId,
      batch: null,
      operation: 'extraction',
      provider,
      model: MODEL,
      maxCostMicroUsd,
      expectedTokens: TOKENS,
      timeoutMs: settings.callTimeoutMs,
      signal: leaving.signal,
      invoke: (signal) => {
        if (isAborted) setTimeout(() => leaving.abort(), chance.nextFloat() * 30);
        return pay({ callId, tenantId, provider, maxMicroUsd: maxCostMicroUsd, pid: process.pid }, signal);
      },
    })
    .catch((error: unknown) => {
      if (leaving.signal.aborted) return undefined;
      throw error;
    });
  if (!result) return 'aborted';
  if (result.outcome === 'refused') return `refused_${result.why}`;
  if (result.outcome === 'failed') return `failed_${result.error.type}`;
  if (result.value.fate === 'unreadable') {
    const problem = 'It cannot be read.';
    await result.reject(new LLMError('parsing', problem), { text: '{', problem });
    return 'unreadable';
  }
  // Like a worker: stores the answer and its cost in one transaction, or closes the call as one that has lost its
  // batch.
  if (chance.nextFloat() < 0.5) {
    const written = await database.inTenant(tenantId, (tx) => settleReservation(tx, result.settlement));
    await result.close(written === 'settled' ? 'committed' : 'gone');
  } else await result.close('not_written');
  return 'answered';
}

async function pay(request: ChargeRequest, signal: AbortSignal): Promise<Invocation<ChargeResponse>> {
  const response = await fetch(settings.referenceLedgerUrl, { method: 'POST', body: JSON.stringify(request), signal });
  const { status } = response;
  if (status !== 200) throw new LLMError('transient', 'The reference ledger is broken.', { status });
  const value = (await response.json()) as ChargeResponse;
  const { fate, costMicroUsd } = value;
  if (fate === 'refused')
    throw new LLMError('policy', 'The reference ledger refused, and charged for it.', { costMicroUsd });
  const usage = { inputTokens: TOKENS, outputTokens: 0 };
  return { value, usage, costMicroUsd };
}
