import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type MemoryChange, SeededRng } from '@annals/domain';
import { closeVault, loadVaultSubject, openVault, writeMemories } from '@annals/storage';
import { newMemory } from '@annals/testing';
import {
  listFiles,
  openVaultFolder,
  openVaultRoot,
  OwnChanges,
  takeEdits,
  VaultIndex,
  VaultRepository,
  type VaultRun,
  VaultWatcher,
  writeVault,
} from '@annals/vault';
import { type BenchEnvironment, openBenchEnvironment } from '../frame/bench-environment.ts';
import { atMost, type Row } from '../frame/row.ts';
import { median } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

const USER = 'vault';
const WRITE_BATCH = 200;
const WRITERS = 16;
const PAIRS = 15;
const WRITES = 80;
/** A scan of 10 000 files is to take seconds. */
const MAX_SCAN_MS = 5_000;
const IDLE_MS = 30_000;
const NEW_FILES = 500;
const INDEX_PATH = '.annals/index.json';
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The Markdown vault: first projection, runs with little or nothing to do, forgetting, and what it costs writers. */
export const benchVault: Suite = async ({ servers, quick }) => {
  const environment = await openBenchEnvironment(servers);
  const root = await mkdtemp(path.join(tmpdir(), 'annals-bench-vault-'));
  try {
    const memories = quick ? 1_000 : 10_000;
    const ids: string[] = [];
    for (let start = 0; start < memories; start += WRITE_BATCH)
      ids.push(...(await add(environment, start, WRITE_BATCH)));
    return [
      ...(await measureRuns(environment, root, ids)),
      ...(await measureWatcher(environment, root, quick ? 2_000 : IDLE_MS)),
      ...(await measureWrites(environment, quick ? 3 : PAIRS, memories)),
    ];
  } finally {
    await rm(root, { recursive: true, force: true });
    await environment.close();
  }
};

async function measureRuns(environment: BenchEnvironment, root: string, ids: readonly string[]): Promise<Row[]> {
  const count = ids.length.toLocaleString('en');
  const first = await timeRun(environment, root);
  const folder = first.folder;
  const raw = await writePlainly(folder);
  const idle = await medianOf(9, () => timeRun(environment, root));
  const one = await medianOf(9, async (n) => {
    await change(environment, [{ kind: 'edit', memoryId: ids[n]!, patch: { importance: 1 + (n % 5) } }]);
    return timeRun(environment, root);
  });
  const lost = await medianOf(3, async () => {
    await rm(path.join(folder, INDEX_PATH));
    return timeRun(environment, root);
  });
  const edited = await medianOf(5, async (n) => {
    const [file] = (await listFacts(folder)).slice(-1);
    const text = await readFile(file!, 'utf8');
    await writeFile(file!, `${text.trimEnd()} Edited ${n}.\n`);
    return timeRun(environment, root);
  });
  for (let n = 0; n < NEW_FILES; n += 1)
    await writeFile(
      path.join(folder, `entries/_manual/facts/new ${n}.md`),
      `The user has thing number ${n} at home.\n`,
    );
  const added = await timeRun(environment, root);
  const scanStarted = performance.now();
  await listFiles(folder);
  const scanMs = performance.now() - scanStarted;
  const forgotten = await medianOf(3, async (n) => {
    const memoryId = ids[100 + n]!;
    await change(environment, [{ kind: 'delete', memoryId, by: 'user' }], { purgeAfterMs: 0 });
    await change(environment, [{ kind: 'purge', memoryId }]);
    return timeRun(environment, root);
  });
  return [
    {
      id: 'VAULT',
      what: `first run: ${count} memories as files, committed`,
      value: first.ms,
      unit: 'ms',
      raw: { what: 'the same files by writeFile alone', value: raw },
    },
    { id: 'VAULT', what: `run without a change, ${count} memories`, value: idle, unit: 'ms' },
    { id: 'VAULT', what: `run with one change, ${count} memories`, value: one, unit: 'ms' },
    { id: 'VAULT', what: `run that takes over one edit, ${count} memories`, value: edited, unit: 'ms' },
    { id: 'VAULT', what: `run that takes over ${NEW_FILES} new files`, value: added.ms, unit: 'ms' },
    {
      id: 'VAULT',
      what: `run without its index: every row, file and blob compared`,
      value: lost,
      unit: 'ms',
    },
    {
      id: 'VAULT',
      what: `scan of ${count} files`,
      value: scanMs,
      unit: 'ms',
      target: atMost(scanMs, MAX_SCAN_MS, '≤ 5 s'),
    },
    { id: 'VAULT', what: 'run that forgets one memory: history rewritten', value: forgotten, unit: 'ms' },
  ];
}

/** The watcher of the vault that was written: what it costs, and how soon it tells what somebody changed. */
async function measureWatcher({ clock }: BenchEnvironment, root: string, idleMs: number): Promise<Row[]> {
  let noticed = () => {};
  const fail = (problem: unknown) => {
    throw new Error('The watcher failed.', { cause: problem });
  };
  const watcher = new VaultWatcher({
    root,
    clock,
    own: new OwnChanges(),
    onChanged: async () => noticed(),
    report: { noticed: () => {}, unwatched: fail, failed: fail },
  });
  const startedMs = performance.now();
  await watcher.start();
  const startMs = performance.now() - startedMs;
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const { user, system } = process.cpuUsage(before);
  // The watcher keeps no process running.
  const running = setInterval(() => {}, 1_000);
  const file = await findFile(root);
  const changed = await medianOf(5, async (n) => {
    const isNoticed = new Promise<void>((resolve) => (noticed = resolve));
    const changedMs = performance.now();
    await writeFile(file, `Edited ${n}.`);
    await isNoticed;
    return { ms: performance.now() - changedMs };
  });
  await watcher.stop();
  clearInterval(running);
  return [
    { id: 'VAULT', what: 'start of the watcher, with its scan', value: startMs, unit: 'ms' },
    {
      id: 'VAULT',
      what: 'CPU of the process with an idle watcher, for each second',
      value: (user + system) / idleMs,
      unit: 'ms',
    },
    {
      id: 'VAULT',
      what: 'from a change of a file until it is noticed (500 ms without another)',
      value: changed,
      unit: 'ms',
    },
  ];
}

async function listFacts(folder: string): Promise<string[]> {
  const facts = path.join(folder, 'entries/_manual/facts');
  return (await readdir(facts)).toSorted().map((name) => path.join(facts, name));
}

/** A file of a memory. */
async function findFile(root: string): Promise<string> {
  const paths = await readdir(root, { recursive: true });
  return path.join(
    root,
    paths.find((each) => /\/entries\/.*\.md$/.test(each))!,
  );
}

/** Writes of one memory each: without the triggers, with them and without a vault, and with a vault. */
async function measureWrites(environment: BenchEnvironment, pairs: number, start: number): Promise<Row[]> {
  const times: Record<'none' | 'off' | 'on', number[]> = { none: [], off: [], on: [] };
  let next = start;
  const measure = async () => {
    const startedMs = performance.now();
    for (let n = 0; n < WRITES; n += 1) await add(environment, next++, 1);
    return (performance.now() - startedMs) / WRITES;
  };
  for (let pair = 0; pair < pairs; pair += 1) {
    await closeVault(environment.database, { abandons: false });
    await setTriggers(environment, 'DISABLE');
    times.none.push(await measure());
    await setTriggers(environment, 'ENABLE');
    times.off.push(await measure());
    await openVault(environment.database);
    times.on.push(await measure());
  }
  await closeVault(environment.database, { abandons: false });
  const raw = { what: 'without the triggers', value: median(times.none) };
  return [
    { id: 'VAULT', what: 'write of a memory, no vault', value: median(times.off), unit: 'ms', raw },
    { id: 'VAULT', what: 'write of a memory, with a vault', value: median(times.on), unit: 'ms', raw },
  ];
}

async function setTriggers({ superuser }: BenchEnvironment, how: 'ENABLE' | 'DISABLE'): Promise<void> {
  await superuser.query(
    ['history', 'memory_sources'].map((table) => `ALTER TABLE ${table} ${how} TRIGGER note_vault_on_insert`).join(';'),
  );
}

async function add(environment: BenchEnvironment, start: number, count: number): Promise<string[]> {
  const now = environment.clock.now();
  const rng = new SeededRng(start);
  const word = () => Math.floor(rng.nextFloat() * 1e12).toString(36);
  const changes = Array.from({ length: count }, (_, n): MemoryChange => {
    const content = `The user keeps ${word()} and ${word()} in place ${start + n} of the ${word()} shelf.`;
    return { kind: 'observe', memory: newMemory(content, now) };
  });
  return change(environment, changes);
}

async function change(
  { database, tenantId, clock, ids }: BenchEnvironment,
  changes: readonly MemoryChange[],
  more: { readonly purgeAfterMs?: number } = {},
): Promise<string[]> {
  const command = { userId: USER, actor: 'bench', node: 'api', changes };
  const dependencies = { clock, ids, randomBytes, ...more };
  const written = await database.inTenant(tenantId, (tx) => {
    tx.allowBulk();
    return writeMemories(tx, command, dependencies);
  });
  if (written.outcome !== 'applied') throw new Error(`The write is ${written.outcome}.`);
  return written.results.map(({ memoryId }) => memoryId);
}

let claims = 0;

/** One run, as the worker does it, from the claim to its end. */
async function timeRun(environment: BenchEnvironment, root: string): Promise<{ ms: number; folder: string }> {
  const { database, tenantId, clock } = environment;
  const startedMs = performance.now();
  const [user] = await database.readTenant(tenantId, (tx) =>
    tx.query<{ subject_id: string }>('SELECT subject_id FROM users WHERE user_id = $1', [USER]),
  );
  const subjectId = user!.subject_id;
  await openVaultRoot(root, { known: null, next: environment.ids.next() });
  const folder = await openVaultFolder(root, { tenantId, userId: USER, subjectId });
  const index = await VaultIndex.load(folder, subjectId, `claim ${++claims}`);
  const repository = await VaultRepository.open(folder, { clock, searchPath: SEARCH_PATH });
  const { signal } = new AbortController();
  await takeEdits({
    folder,
    userId: USER,
    index,
    repository,
    clock,
    signal,
    // What it waits for is not measured.
    settle: async () => {},
    loadRules: async () => ({ redact: (text) => text, adviseAgainst: () => null }),
    transact: (work) => database.inTenant(tenantId, work),
    apply: async (tx, changes) => {
      const command = { userId: USER, actor: 'vault', node: 'worker', changes };
      const written = await writeMemories(tx, command, { clock, ids: environment.ids, randomBytes });
      return written.outcome === 'applied' ? written.results : [];
    },
  });
  const now = await database.readTenant(tenantId, (tx) => loadVaultSubject(tx, subjectId));
  if (now?.type !== 'user') throw new Error('There is no user.');
  const run: VaultRun = {
    folder,
    userId: USER,
    chain: now.chain,
    forgottenAt: now.forgottenAt,
    index,
    repository,
    isFollowed: true,
    openFormer: null,
    read: (work) => database.readTenant(tenantId, work),
    clock,
    signal,
    mayGoOn: () => true,
  };
  await writeVault(run);
  return { ms: performance.now() - startedMs, folder };
}

async function medianOf(times: number, run: (n: number) => Promise<{ readonly ms: number }>): Promise<number> {
  const measured: number[] = [];
  for (let n = 0; n < times; n += 1) measured.push((await run(n)).ms);
  return median(measured);
}

/** The files of a folder written again elsewhere, without anything else; ms. */
async function writePlainly(folder: string): Promise<number> {
  const files = (await listFiles(folder)).map((file) => file.path);
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file))));
  const copy = await mkdtemp(path.join(tmpdir(), 'annals-bench-plain-'));
  const startedMs = performance.now();
  const folders = new Set(files.map((file) => path.dirname(file)));
  for (const each of folders) await mkdir(path.join(copy, each), { recursive: true });
  let next = 0;
  const work = async () => {
    for (let n = next++; n < files.length; n = next++) await writeFile(path.join(copy, files[n]!), texts[n]!);
  };
  await Promise.all(Array.from({ length: WRITERS }, work));
  const ms = performance.now() - startedMs;
  await rm(copy, { recursive: true });
  return ms;
}
