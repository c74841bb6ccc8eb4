import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Closed loop: `callers` run `work` `count` times in total, each after its last response. Returns the times in ms. */
export async function runClosedLoop(
  callers: number,
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<{ samples: number[]; perSecond: number }> {
  const samples: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const call = async () => {
    while (next < count) {
      const index = next++;
      const sentMs = performance.now();
      await work(index);
      samples.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { samples, perSecond: count / ((performance.now() - startedMs) / 1_000) };
}

/**
 * Open loop: calls start at a given rate, independent of responses. Times count from when a call was due, so that a
 * stall counts in every call that it delayed. `callers` is the maximum concurrency.
 */
export async function runPaced(
  callers: number,
  perSecond: number,
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<number[]> {
  const samples: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const call = async () => {
    while (next < count) {
      const index = next++;
      const dueMs = startedMs + (index * 1_000) / perSecond;
      const waitMs = dueMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      // A timer that fires late is the machine's delay, not the system's.
      const fromMs = waitMs > 0 ? performance.now() : dueMs;
      await work(index);
      samples.push(performance.now() - fromMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return samples;
}

/** A client of the API with keep-alive connections. Uses `node:http`, since `fetch` needs several times the CPU. */
export class ApiClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private readonly url: string;
  private readonly apiKey: string;

  constructor(url: string, apiKey: string) {
    this.url = url;
    this.apiKey = apiKey;
  }

  /** Posts JSON text; throws on any status but 2xx. */
  post(path: string, body: string): Promise<string> {
    return this.send('POST', path, body);
  }

  put(path: string, body: string): Promise<string> {
    return this.send('PUT', path, body);
  }

  get(path: string): Promise<string> {
    return this.send('GET', path);
  }

  private send(method: string, path: string, body?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(
        this.url + path,
        {
          agent: this.agent,
          method,
          headers: {
            authorization: `Bearer ${this.apiKey}`,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            if (status >= 200 && status < 300) resolve(text);
            else reject(new Error(`${method} ${path} failed with ${status}: ${text.slice(0, 300)}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
