import { Agent, type ClientRequest, request } from 'node:http';
import { ApiClient, runClosedLoop } from '../frame/load.ts';
import { withDeployment } from '../frame/deployment.ts';
import { atMost, type Row } from '../frame/row.ts';
import type { ServiceProcess } from '../frame/service-process.ts';
import { startServiceProcess } from '../frame/service-process.ts';
import { median, medianOfRounds, summarize, type Summary } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

/** So many that none has a long history by the end: nothing extracts what the completions store. */
const USERS = 400;
const MEMORIES_PER_USER = 10;
const CALLERS = [1, 16];
const OPEN_STREAMS = 200;
const MAX_ADDED_MS = 25;
const MAX_MEMORY_MB = 512;
/** The heap that Node takes in a container with this memory. */
const HEAP_OF_512_MB = '--max-old-space-size=256';

/** `bare`: the upstream itself. `passed`: through the proxy without a user. `memory`: recalled and stored. */
type Side = 'bare' | 'passed' | 'memory';
const SIDES: readonly Side[] = ['bare', 'passed', 'memory'];

/**
 * What a chat completion costs beside the bare upstream, which answers at once: time to the first token, CPU of the
 * gateway, and memory of streams that are open (docs/chat.md#cost).
 */
export const benchChat: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    const upstream = await startServiceProcess({
      name: 'upstream',
      script: 'bench/processes/chat-upstream.ts',
      env: {},
      portVariable: 'ANNALS_HTTP_PORT',
      profileFolder: undefined,
    });
    try {
      const env = {
        ANNALS_CHAT_UPSTREAM_URL: `${upstream.url}/v1`,
        ANNALS_CHAT_UPSTREAM_FREE: 'true',
        ANNALS_CHAT_MEMORY_TIMEOUT_MS: '30000',
      };
      const gateway = await startGateway(env);
      await writeMemories(new ApiClient(gateway.url, environment.apiKey));
      const ask = createAsker({ upstream, gateway, apiKey: environment.apiKey });
      const rows: Row[] = [];
      for (const callers of CALLERS) {
        const count = options.quick ? 30 : callers * 40;
        rows.push(...(await measure(ask, gateway, { callers, count, rounds: options.quick ? 2 : 5 })));
      }
      const small = await startGateway({ ...env, NODE_OPTIONS: HEAP_OF_512_MB });
      const askSmall = createAsker({ upstream, gateway: small, apiKey: environment.apiKey });
      rows.push(await measureOpenStreams(askSmall, small));
      return rows;
    } finally {
      await upstream.stop();
    }
  });

async function writeMemories(client: ApiClient): Promise<void> {
  await runClosedLoop(8, USERS * MEMORIES_PER_USER, (index) =>
    client.post(
      '/v1/memories',
      JSON.stringify({
        user_id: `user-${index % USERS}`,
        category: 'preferences',
        content: `The user met friend ${index} in town ${Math.floor(index / USERS)} for a walk.`,
      }),
    ),
  );
  client.close();
}

interface Question {
  readonly side: Side;
  readonly index: number;
  readonly hold?: boolean;
}

interface Answer {
  /** From sending the request to the first piece of its answer. */
  readonly firstTokenMs: number;
  readonly sent: ClientRequest;
}

type Ask = (question: Question) => Promise<Answer>;

/** Resolves at the end of the answer, or with `hold` at its first piece. */
function createAsker({
  upstream,
  gateway,
  apiKey,
}: {
  readonly upstream: ServiceProcess;
  readonly gateway: ServiceProcess;
  readonly apiKey: string;
}): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * OPEN_STREAMS });
  return ({ side, index, hold = false }) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        model: 'm',
        stream: true,
        // Of sentences that are made from few words, none is very relevant.
        memory: { threshold: 0 },
        messages: [
          { role: 'system', content: 'Answer briefly.' },
          {
            role: 'user',
            content: `Which friend did I meet in town ${index % MEMORIES_PER_USER}? ${hold ? 'keep-open' : ''}`,
          },
        ],
      });
      const startedMs = performance.now();
      let firstTokenMs: number | undefined;
      const sent = request(
        `${side === 'bare' ? upstream.url : gateway.url}/v1/chat/completions`,
        {
          agent,
          method: 'POST',
          headers: {
            authorization: `Bearer ${apiKey}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
            ...(side === 'memory'
              ? { 'x-annals-user': `user-${index % USERS}`, 'x-annals-thread': `thread-${index}` }
              : {}),
          },
        },
        (response) => {
          if (response.statusCode !== 200) reject(new Error(`A completion failed with ${response.statusCode}.`));
          if (side === 'memory' && response.headers['x-annals-memory'] !== 'used')
            reject(new Error(`The memory was ${String(response.headers['x-annals-memory'])}.`));
          response.on('data', () => {
            firstTokenMs ??= performance.now() - startedMs;
            if (hold) resolve({ firstTokenMs, sent });
          });
          response.on('end', () => resolve({ firstTokenMs: firstTokenMs!, sent }));
          response.on('error', () => undefined);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

async function measure(
  ask: Ask,
  gateway: ServiceProcess,
  { callers, count, rounds }: { readonly callers: number; readonly count: number; readonly rounds: number },
): Promise<Row[]> {
  const firstTokens: Record<Side, Summary[]> = { bare: [], passed: [], memory: [] };
  const cpuMs: Record<Side, number[]> = { bare: [], passed: [], memory: [] };
  let serial = 0;
  const run = async (side: Side): Promise<number[]> => {
    const samples: number[] = [];
    await runClosedLoop(callers, count, async () => {
      samples.push((await ask({ side, index: serial++ })).firstTokenMs);
    });
    return samples;
  };
  for (const side of SIDES) await run(side);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of SIDES) {
      const before = await gateway.probe();
      firstTokens[side].push(summarize(await run(side)));
      cpuMs[side].push(((await gateway.probe()).cpuMs - before.cpuMs) / count);
    }
  }
  const of = (side: Side) => medianOfRounds(firstTokens[side]);
  const [bare, passed, memory] = [of('bare'), of('passed'), of('memory')];
  const label = callers === 1 ? '1 caller' : `${callers} callers`;
  const added = memory.p50 - bare.p50;
  const raw = { what: 'bare upstream', value: bare.p50 };
  return [
    {
      id: 'CHAT',
      what: `added to the first token, ${label}: p50`,
      value: added,
      unit: 'ms',
      raw,
      ...(callers === 1 && { target: atMost(added, MAX_ADDED_MS, `<= ${MAX_ADDED_MS} ms`) }),
      details: { bare, passed, memory },
    },
    { id: 'CHAT', what: `added to the first token, ${label}: p95`, value: memory.p95 - bare.p95, unit: 'ms' },
    { id: 'CHAT', what: `the same without memory, ${label}: p50`, value: passed.p50 - bare.p50, unit: 'ms', raw },
    {
      id: 'CHAT',
      what: `gateway CPU per completion of 52 events, ${label}`,
      value: median(cpuMs.memory),
      unit: 'ms',
      raw: { what: 'without memory', value: median(cpuMs.passed) },
    },
  ];
}

async function measureOpenStreams(ask: Ask, gateway: ServiceProcess): Promise<Row> {
  const before = await gateway.probe();
  const open: Answer[] = [];
  for (let from = 0; from < OPEN_STREAMS; from += 20) {
    const opened = Array.from({ length: 20 }, (_, index) =>
      ask({ side: 'memory', index: 1_000_000 + from + index, hold: true }),
    );
    open.push(...(await Promise.all(opened)));
  }
  const { rssMb } = await gateway.probe();
  for (const { sent } of open) sent.destroy();
  return {
    id: 'CHAT',
    what: `memory of a gateway with ${OPEN_STREAMS} open streams`,
    value: rssMb,
    unit: 'MB',
    raw: { what: 'before they were opened', value: before.rssMb },
    target: atMost(rssMb, MAX_MEMORY_MB, `<= ${MAX_MEMORY_MB} MB`),
  };
}
