import { MAX_MESSAGE_LENGTH } from '@annals/contracts';
import { createApiKey, createTenant, apiKeyPrefix, hashApiKey } from '@annals/storage';
import { HOSTILE_TEXTS, type HostileText } from '@annals/testing';
import type { BenchEnvironment } from '../frame/bench-environment.ts';
import { withDeployment } from '../frame/deployment.ts';
import { ApiClient, runClosedLoop } from '../frame/load.ts';
import { atMost, type Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { type Summary, summarize } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';
import type { LoopDelay } from '../processes/loop-delay.ts';

/** The default of `ANNALS_BODY_LIMIT_BYTES`. */
const BODY_BYTES = 1_048_576;
/** docs/reference/performance-targets.md#t14-delay-of-the-event-loop */
const MAX_DELAY_MS = 50;
const SMALL_REQUESTS = 200;
const QUICK_TEXTS = 12;
const OTHER_KEY = 'bench-key-of-another-tenant';

interface Measurement {
  readonly name: string;
  /** Longest and 99th percentile of the event loop's delay, while the body was worked on. */
  readonly maxDelayMs: number;
  readonly p99DelayMs: number;
  /** CPU time of the longest turn of the loop, which a busy machine does not change. */
  readonly maxCpuMs: number;
  /** From the first byte of the body to its answer. */
  readonly hostileMs: number;
  /** Of each small request of the other tenant meanwhile. */
  readonly smallMs: readonly number[];
}

/**
 * Target T14 (docs/reference/performance-targets.md#t14-delay-of-the-event-loop): one tenant posts bodies of hostile
 * texts at the default size limit, one at a time, while another sends small requests.
 */
export const benchLoop: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    const gateway = await startGateway();
    const hostile = new ApiClient(gateway.url, environment.apiKey);
    const other = new ApiClient(gateway.url, await createOtherTenant(environment));
    const sendSmall = (index: number) => other.post('/v1/conversations', smallBody(index));
    await runClosedLoop(1, SMALL_REQUESTS, sendSmall);
    await gateway.probe();
    const alone = summarize((await runClosedLoop(1, SMALL_REQUESTS, sendSmall)).samples);
    const idle = (await gateway.probe()).loop;
    const texts = options.quick ? HOSTILE_TEXTS.slice(0, QUICK_TEXTS) : HOSTILE_TEXTS;
    const measured: Measurement[] = [];
    for (const text of texts) measured.push(await measureText(text, gateway, hostile, sendSmall));
    hostile.close();
    other.close();
    return describe(measured, alone, idle);
  });

async function measureText(
  text: HostileText,
  gateway: ServiceProcess,
  hostile: ApiClient,
  sendSmall: (index: number) => Promise<unknown>,
): Promise<Measurement> {
  const body = hostileBody(text);
  await gateway.probe();
  const startedMs = performance.now();
  const smallMs: number[] = [];
  const answered = new AbortController();
  const sendSmallOnes = async () => {
    for (let index = 0; !answered.signal.aborted; index += 1) {
      const sentMs = performance.now();
      await sendSmall(index);
      smallMs.push(performance.now() - sentMs);
    }
  };
  const others = sendSmallOnes();
  await hostile.post('/v1/conversations', body);
  const hostileMs = performance.now() - startedMs;
  answered.abort();
  await others;
  const { maxMs, p99Ms, maxCpuMs } = (await gateway.probe()).loop;
  return { name: text.name, maxDelayMs: maxMs, p99DelayMs: p99Ms, maxCpuMs, hostileMs, smallMs };
}

/** Messages of the maximum length, as many as the body limit allows. */
function hostileBody({ make }: HostileText): string {
  const render = (contents: readonly string[]) =>
    JSON.stringify({ user_id: 'u', messages: contents.map((content) => ({ role: 'user', content })) });
  const content = make(MAX_MESSAGE_LENGTH);
  const bytes = Buffer.byteLength(render([content])) + 1;
  const count = Math.floor(BODY_BYTES / bytes);
  if (count > 0) return render(Array.from({ length: count }, () => content));
  // A character of this text has so many bytes that not even one message fits.
  return render([make(Math.floor((MAX_MESSAGE_LENGTH * BODY_BYTES) / bytes) - 1)]);
}

function smallBody(index: number): string {
  return JSON.stringify({ user_id: 'u', messages: [{ role: 'user', content: `I like tea number ${index}.` }] });
}

async function createOtherTenant({ database, ids, clock }: BenchEnvironment): Promise<string> {
  const tenantId = ids.next();
  const now = clock.now();
  await createTenant(database, { id: tenantId, name: 'other', now });
  await database.inTenant(tenantId, (tx) =>
    createApiKey(tx, {
      id: ids.next(),
      name: 'bench',
      keyHash: hashApiKey(OTHER_KEY),
      prefix: apiKeyPrefix(OTHER_KEY),
      scopes: ['ingest'],
      operator: false,
      agentId: null,
      userId: null,
      categories: null,
      expiresAt: null,
      now,
    }),
  );
  return OTHER_KEY;
}

function describe(measured: readonly Measurement[], alone: Summary, idle: LoopDelay): Row[] {
  const worst = measured.toSorted((a, b) => b.maxDelayMs - a.maxDelayMs);
  const [first] = worst;
  const small = summarize(measured.flatMap(({ smallMs }) => smallMs));
  const held = worst.filter(({ maxDelayMs }) => maxDelayMs > MAX_DELAY_MS);
  const [busiest] = measured.toSorted((a, b) => b.maxCpuMs - a.maxCpuMs);
  return [
    {
      id: 'T14',
      what: `event loop, longest delay of ${measured.length} texts ("${first!.name}")`,
      value: first!.maxDelayMs,
      unit: 'ms',
      raw: { what: 'small requests alone', value: idle.maxMs },
      target: atMost(first!.maxDelayMs, MAX_DELAY_MS, `<= ${MAX_DELAY_MS} ms`),
      details: { texts: worst.map(({ smallMs, ...rest }) => ({ ...rest, small: summarize(smallMs) })) },
    },
    {
      id: 'T14',
      what: `CPU of the longest turn of the event loop ("${busiest!.name}")`,
      value: busiest!.maxCpuMs,
      unit: 'ms',
      raw: { what: 'small requests alone', value: idle.maxCpuMs },
      target: atMost(busiest!.maxCpuMs, MAX_DELAY_MS, `<= ${MAX_DELAY_MS} ms`),
    },
    { id: 'T14', what: 'texts that held the event loop longer than that', value: held.length, unit: 'texts' },
    {
      id: 'T14',
      what: 'small request of another tenant meanwhile: p50',
      value: small.p50,
      unit: 'ms',
      raw: { what: 'alone', value: alone.p50 },
    },
    {
      id: 'T14',
      what: 'small request of another tenant meanwhile: p99',
      value: small.p99,
      unit: 'ms',
      raw: { what: 'alone', value: alone.p99 },
    },
    {
      id: 'T14',
      what: 'hostile body, longest time to its answer',
      value: Math.max(...measured.map(({ hostileMs }) => hostileMs)),
      unit: 'ms',
    },
  ];
}
