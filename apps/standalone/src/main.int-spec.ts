import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@annals/testing';

const MAIN = join(__dirname, '..', 'dist', 'main.js');
/** PGlite compiles its engine at each start; a busy machine takes its time. */
const START_TIMEOUT_MS = 60_000;

/** One run of the built process, as a person would start it. */
class Run {
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(dataDir: string, env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, ANNALS_DATA_DIR: dataDir, ANNALS_HTTP_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  async url(): Promise<string> {
    const findUrl = () => /ready: (http:\S+)/.exec(this.output)?.[1];
    await waitUntil(() => findUrl() !== undefined || this.child.exitCode !== null, {
      describe: 'the process is ready',
      timeoutMs: START_TIMEOUT_MS,
    });
    const url = findUrl();
    if (url === undefined) throw new Error(`The process ended: ${this.errors}`);
    return url;
  }
  async exitCode(): Promise<number | null> {
    return this.ended;
  }
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

describe('the standalone process', () => {
  jest.setTimeout(180_000);
  const runs: Run[] = [];
  let folder: string;
  let home: string;

  beforeAll(() => {
    if (!existsSync(MAIN)) throw new Error('Build first: this spec starts the built process.');
    folder = mkdtempSync(join(tmpdir(), 'annals-standalone-'));
    home = join(folder, 'home');
  });
  afterAll(async () => {
    await Promise.all(runs.map((run) => run.end('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (env?: Record<string, string>, dataDir = home): Run => {
    const run = new Run(dataDir, env);
    runs.push(run);
    return run;
  };
  const call = async (url: string, key: string, body?: object) => {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const keptKey = () => readFileSync(join(home, 'bootstrap-key'), 'utf8').trim();
  const query = { query: 'Where does the user work?', filters: { user_id: 'ada' } };

  it('remembers what is said, keeps its secrets, survives kill -9, and stops cleanly', async () => {
    const first = start();
    const url = await first.url();
    const key = keptKey();
    expect(first.output).toContain(`export ANNALS_KEY=${key}\n`);
    expect(['', 'bootstrap-key', 'secret.key'].map((file) => statSync(join(home, file)).mode & 0o777)).toEqual([
      0o700, 0o600, 0o600,
    ]);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    const said = await call(`${url}/v1/conversations`, key, {
      user_id: 'ada',
      flush: true,
      messages: [{ id: 'm1', role: 'user', content: 'I work as a nurse.' }],
    });
    expect(said.status).toBe(202);
    const [batchId] = said.answer.batch_ids as string[];
    await waitUntil(async () => (await call(`${url}/v1/batches/${batchId}`, key)).answer.status === 'done', {
      describe: 'the batch is done',
      timeoutMs: 30_000,
    });
    expect(await first.end('SIGKILL')).toBeNull();

    const second = start();
    const { answer } = await call(`${await second.url()}/v1/memory/query`, key, query);
    expect(JSON.stringify(answer.memories)).toContain('nurse');
    expect(second.output).not.toContain(key);
    expect(second.output).toContain('Your API key is in');

    const third = start();
    expect(await third.exitCode()).toBe(1);
    expect(third.errors).toMatch(/^The data folder \S+ is in use by another Annals process\. [^\n]+\n$/);

    expect(await second.end('SIGINT')).toBe(0);
    expect(second.errors).toBe('');
  });

  it('makes a given key valid, also later, for the tenant and as operator', async () => {
    const given = 'ann_given-by-whoever-starts-it';
    const run = start({ ANNALS_BOOTSTRAP_KEY: given });
    const url = await run.url();
    const statuses = await Promise.all(
      ['/v1/admin/keys', '/v1/operator/tenants'].map(async (path) => (await call(`${url}${path}`, given)).status),
    );
    expect(statuses).toEqual([200, 200]);
    expect(run.output).not.toContain(given);
    expect((await call(`${url}/v1/admin/keys`, keptKey())).status).toBe(200);
    expect(await run.end('SIGTERM')).toBe(0);
  });

  it('says which variable to set when the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const run = start({ ANNALS_HTTP_PORT: String(port) });
    expect(await run.exitCode()).toBe(1);
    expect(run.errors).toBe(`Port ${port} on 127.0.0.1 is in use. Set ANNALS_HTTP_PORT to a free port.\n`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('says which variable is wrong, before it touches anything', async () => {
    const untouched = join(folder, 'untouched');
    const run = start({ ANNALS_HTTP_PORT: 'eighty' }, untouched);
    expect(await run.exitCode()).toBe(78);
    expect(run.errors).toBe('ANNALS_HTTP_PORT must be a whole number from 0 to 65535.\n');
    expect(existsSync(untouched)).toBe(false);
  });
});
