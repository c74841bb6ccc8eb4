import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runTool, succeeds, waitUntil } from './processes.mjs';

const composeFile = path.resolve(import.meta.dirname, '../../docker-compose.yml');
const READY_TIMEOUT_MS = 120_000;

const KINDS = {
  postgres: {
    port: 5432,
    options: ['--env', 'POSTGRES_HOST_AUTH_METHOD=trust'],
    command: ['postgres', '-c', 'max_connections=300'],
    probe: ['pg_isready', '-q', '-U', 'postgres', '-h', '127.0.0.1'],
  },
  redis: {
    port: 6379,
    options: [],
    command: ['valkey-server', '--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
    probe: ['valkey-cli', 'ping'],
  },
};
const PROMETHEUS_IMAGE = 'prom/prometheus:v3.7.3';

/**
 * Starts Prometheus on the network of the host, where the processes that it scrapes listen, with a folder of this machine
 * for its configuration.
 */
export async function startPrometheusContainer(name, port, folder) {
  removeContainer(name);
  const options = ['--detach', '--name', name, '--network', 'host', '--user', `${process.getuid()}`];
  const flags = ['--config.file=/data/prometheus.yml', '--storage.tsdb.path=/data/tsdb', '--web.enable-lifecycle'];
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  runTool('docker', ['run', ...options, '--volume', `${folder}:/data`, PROMETHEUS_IMAGE, ...flags, listen]);
  const ready = await waitUntil(
    () => succeeds('docker', ['exec', name, 'wget', '-q', '-O', '-', `http://127.0.0.1:${port}/-/ready`]),
    READY_TIMEOUT_MS,
  );
  if (!ready) throw new Error(`The container ${name} did not become ready: see \`docker logs ${name}\`.`);
}

/** Runs promtool in a container of Prometheus. */
export function runPromtool(name, args) {
  const { status, stdout, stderr } = spawnSync('docker', ['exec', name, 'promtool', ...args], { encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** Whether a Docker daemon answers. */
export function hasDocker() {
  return succeeds('docker', ['info']);
}

/**
 * Starts a container of the image in docker-compose.yml, published on the loopback; resolves once the server answers.
 * @param {'postgres' | 'redis'} kind
 * @param {string} name
 * @param {number} port
 */
export async function startContainer(kind, name, port) {
  removeContainer(name);
  const publish = ['--publish', `127.0.0.1:${port}:${KINDS[kind].port}`];
  const options = ['--detach', '--name', name, ...publish, ...KINDS[kind].options];
  runTool('docker', ['run', ...options, imageOf(kind), ...KINDS[kind].command]);
  await waitUntilReady(kind, name);
}

/** Restarts a running or killed container with its data and port. */
export async function restartContainer(kind, name) {
  runTool('docker', ['restart', name]);
  await waitUntilReady(kind, name);
}

export function killContainer(name) {
  runTool('docker', ['kill', '--signal', 'KILL', name]);
}

/** Freezes all processes of a container: connections stay open, and nothing answers. */
export function pauseContainer(name) {
  runTool('docker', ['pause', name]);
}

export function resumeContainer(name) {
  runTool('docker', ['unpause', name]);
}

export function removeContainer(name) {
  succeeds('docker', ['rm', '--force', '--volumes', name]);
}

export function isContainerRunning(name) {
  return succeeds('sh', ['-c', `docker inspect --format '{{.State.Running}}' ${name} | grep -q true`]);
}

/** The last 100 lines of its log. */
export function readContainerLog(name) {
  return runTool('sh', ['-c', `docker logs --tail 100 ${name} 2>&1`]);
}

async function waitUntilReady(kind, name) {
  const ready = await waitUntil(() => succeeds('docker', ['exec', name, ...KINDS[kind].probe]), READY_TIMEOUT_MS);
  if (!ready) throw new Error(`The container ${name} did not become ready: see \`docker logs ${name}\`.`);
}

function imageOf(kind) {
  const compose = readFileSync(composeFile, 'utf8');
  const image = new RegExp(`^  ${kind}:\\n(?:    .*\\n)*?    image: (\\S+)`, 'm').exec(compose)?.[1];
  if (!image) throw new Error(`docker-compose.yml names no image for ${kind}.`);
  return image;
}
