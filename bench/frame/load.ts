import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` `count` times by `callers` that each wait for their answer; gives the time of each, in ms. */
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
 * The same at a given rate, whether answers come or not: times count from when a call was due, so that a stall is seen
 * by every call that it held up. `callers` is the most that run at a time.
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

/** A client of our API on kept-alive connections. Node's own `http`, since `fetch` costs several times as much. */
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
            else reject(new Error(`${method} ${path} was answered with ${status}: ${text.slice(0, 300)}`));
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
