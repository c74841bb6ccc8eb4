import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { ensureChromium } from './chromium.mjs';
import { hasDocker, isContainerRunning, readContainerLog, removeContainer, startContainer } from './docker.mjs';
import { findHost } from './host.mjs';
import { inServices } from './paths.mjs';
import { postgres } from './postgres.mjs';
import { findFreePort } from './ports.mjs';
import { isAlive, readCommand } from './processes.mjs';
import { redis } from './redis.mjs';
import { report } from './report.mjs';
import { givenUrls } from './service-urls.mjs';
import { readState, removeState, writeState } from './state.mjs';

const SERVERS = { postgres, redis };
const LOG_LINES = 100;

/** Starts both servers unless they run already, and prints their URLs. */
export async function up() {
  const given = givenUrls();
  if (given) return printUrls(given);
  const state = readState();
  if (state && isRunning(state)) return printUrls(state);
  if (state) await stop(state);
  const ports = await choosePorts(state?.ports);
  const started = hasDocker() ? await startInDocker(ports) : await startOnHost(ports);
  writeState(started);
  return printUrls(started);
}

/** Installs what `up` would have to install first, unless Docker or given servers provide it, and a browser. */
export function install() {
  if (!givenUrls() && !hasDocker()) findHost();
  ensureChromium();
}

/** Stops both servers; their data and the chroot are preserved. */
export async function down() {
  const state = readState();
  if (!state) return report('not running');
  await stop(state);
  removeState();
  return report('stopped');
}

/** Prints both URLs if both servers run; exit code 1 otherwise. */
export function status() {
  const state = readState();
  const urls = givenUrls() ?? (state && isRunning(state) ? state : undefined);
  if (urls) return printUrls(urls);
  report('not running: start them with `npm run services`');
  return 1;
}

/** Prints the last lines of each server's log. */
export function logs() {
  const read = readState()?.by === 'docker' ? (name) => readContainerLog(containerOf(name)) : readLogFile;
  for (const name of Object.keys(SERVERS)) process.stdout.write(`== ${name}\n${read(name).trimEnd()}\n`);
}

async function startInDocker(ports) {
  report('starting PostgreSQL and Valkey in Docker …');
  for (const name of Object.keys(SERVERS)) await startContainer(name, containerOf(name), ports[name]);
  return { ...urlsOf(ports), by: 'docker', ports };
}

async function startOnHost(ports) {
  const host = findHost();
  report(`starting PostgreSQL and Valkey from ${host.title} …`);
  const pids = {};
  for (const [name, server] of Object.entries(SERVERS)) {
    pids[name] = await startServer(host, name, server, ports[name]);
  }
  return { ...urlsOf(ports), by: 'host', ports, pids };
}

async function startServer(host, name, server, port) {
  server.prepare(host, name);
  mkdirSync(inServices('logs'), { recursive: true });
  const log = openSync(logFile(name), 'a');
  try {
    return await server.start(host, name, port, log);
  } finally {
    closeSync(log);
  }
}

async function stop(state) {
  for (const [name, server] of Object.entries(SERVERS)) {
    if (state.by === 'docker') removeContainer(containerOf(name));
    else if (isOurServer(state.pids[name])) await server.stop(state.pids[name]);
  }
}

function isRunning(state) {
  return Object.keys(SERVERS).every((name) =>
    state.by === 'docker' ? isContainerRunning(containerOf(name)) : isOurServer(state.pids[name]),
  );
}

/** After a restart of the machine the process id may belong to another program. */
function isOurServer(pid) {
  return isAlive(pid) && /postgres|valkey|redis/.test(readCommand(pid));
}

async function choosePorts(previous = {}) {
  const { ANNALS_SERVICES_POSTGRES_PORT, ANNALS_SERVICES_REDIS_PORT } = process.env;
  return {
    postgres: await findFreePort(Number(ANNALS_SERVICES_POSTGRES_PORT ?? previous.postgres ?? 0)),
    redis: await findFreePort(Number(ANNALS_SERVICES_REDIS_PORT ?? previous.redis ?? 0)),
  };
}

function urlsOf(ports) {
  return { databaseUrl: postgres.url(ports.postgres), redisUrl: redis.url(ports.redis) };
}

function printUrls({ databaseUrl, redisUrl }) {
  process.stdout.write(`DATABASE_URL=${databaseUrl}\nREDIS_URL=${redisUrl}\n`);
}

function logFile(name) {
  return inServices('logs', `${name}.log`);
}

function readLogFile(name) {
  const text = existsSync(logFile(name)) ? readFileSync(logFile(name), 'utf8') : '';
  return text.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
}

function containerOf(name) {
  return `annals-services-${name}`;
}
