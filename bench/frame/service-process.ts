import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeReport } from '../processes/probe.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROBE = path.join(ROOT, 'bench/processes/probe.ts');
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 25;

export interface ServiceProcessOptions {
  /** What its profile is called, with a serial number. */
  readonly name: string;
  /** Relative to the repository. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly portVariable: 'ANNALS_HTTP_PORT' | 'ANNALS_HEALTH_PORT';
  /** Folder for a CPU profile of the whole run of the process; undefined: no profile. */
  readonly profileFolder?: string | undefined;
}

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  /** Name of its CPU profile, where there is one. */
  readonly profile: string;
  /** CPU and statements of the process since its start, and its jobs since the last probe. */
  probe(): Promise<ProbeReport>;
  stop(): Promise<void>;
}

const started = new Map<string, number>();

/** Starts it and waits until it is ready. */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, script, args = [], env, portVariable, profileFolder } = options;
  const port = await findFreePort();
  started.set(name, (started.get(name) ?? 0) + 1);
  const profile = `${name}-${started.get(name)}`;
  const profiling =
    profileFolder === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${profile}.cpuprofile`];
  const child = fork(path.join(ROOT, script), [...args], {
    cwd: ROOT,
    env: { ...process.env, ...env, [portVariable]: `${port}` },
    execArgv: [...profiling, '--import', PROBE],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(child, url, script);
  return {
    url,
    profile,
    async probe() {
      const answered = once(child, 'message');
      child.send('probe');
      const [answer] = (await answered) as [ProbeReport];
      return answer;
    },
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string, script: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${script} exited during its start (exit code ${child.exitCode}).`);
    const ready = await fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await sleep(POLL_MS);
  }
  child.kill('SIGKILL');
  throw new Error(`${script} was not ready within ${READY_TIMEOUT_MS / 1_000} s.`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
