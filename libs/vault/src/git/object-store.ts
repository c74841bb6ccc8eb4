import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { mapFiles } from '../files/batches.js';
import type { Git } from './git.js';
import { gitPath, listBelow, MARKER } from './git-folder.js';

export interface RepositoryCounts {
  /** Of all branches and tags. */
  readonly commits: number;
  readonly objects: number;
}

/**
 * Packs what branches, tags and the index reach, and removes every other file of the objects: unlike `git gc`, also what
 * a `.keep` file, a cruft pack or a recent time would spare, and it asks no program of the configuration. Objects that
 * other programs write meanwhile stay. May be repeated after it was killed at any point.
 */
export async function dropUnreachable(git: Git): Promise<void> {
  const objects = gitPath(git.folder, 'objects');
  const before = await listBelow(objects);
  const pack = await git.text(['pack-objects', ...PACKED, path.join(objects, 'pack', 'pack')]);
  const kept = pack === '' ? [] : ['pack', 'idx'].map((end) => path.join(objects, 'pack', `pack-${pack}.${end}`));
  const dropped = before.filter((file) => !kept.includes(file));
  // These name other files: without them first, Git would look for what is already gone.
  const indexes = dropped.filter((file) => isOverview(path.relative(objects, file)));
  await removeAll(git.folder, indexes);
  await removeAll(git.folder, dropped);
}

const PACKED = ['-q', '--all', '--indexed-objects', '--revs', '--non-empty', '--delta-base-offset'];

function isOverview(name: string): boolean {
  return name.startsWith('info/') || name.includes('multi-pack-index') || name.endsWith('.idx');
}

async function removeAll(folder: string, files: readonly string[]): Promise<void> {
  await mapFiles(folder, files, (file) => rm(file, { force: true }));
}

/** All that stays in `.git` besides objects and refs when history is forgotten: every other file may hold former words. */
const KEPT = new Set(['HEAD', 'branches', 'config', 'config.worktree', 'description', 'hooks', 'index', 'index.lock']);
const KEPT_FOLDERS = new Set(['info', 'modules', 'objects', 'refs']);
const KEPT_INFO = new Set(['attributes', 'exclude', 'sparse-checkout']);

/**
 * Removes from `.git` what Git and other programs leave of former contents: reflogs, messages of commits and merges,
 * recorded conflicts, remains of an operation that is not finished, other work trees.
 */
export async function dropRemains({ folder }: Git): Promise<void> {
  const [top, info] = await Promise.all([readdir(gitPath(folder)), readdir(gitPath(folder, 'info')).catch(() => [])]);
  const isKept = (name: string) =>
    KEPT.has(name) || KEPT_FOLDERS.has(name) || name === 'packed-refs' || name === MARKER;
  const remains = [
    ...top.filter((name) => !isKept(name)).map((name) => gitPath(folder, name)),
    ...info.filter((name) => !KEPT_INFO.has(name)).map((name) => gitPath(folder, 'info', name)),
  ];
  await mapFiles(folder, remains, (place) => rm(place, { recursive: true, force: true }));
}

/** Above these, packing saves more than it costs: a pack is made of what Git itself would leave loose before `gc`. */
const MAX_LOOSE = 2_000;
const MAX_PACKS = 20;

/** Packs loose objects when there are many, and packs when there are many of these. Returns whether it did. */
export async function packObjects(git: Git): Promise<boolean> {
  const { loose, packs } = await countStored(git);
  if (loose <= MAX_LOOSE && packs <= MAX_PACKS) return false;
  const all = packs > MAX_PACKS ? ['-a', '--keep-unreachable'] : [];
  await git.run(['repack', '-d', '-l', '-q', ...all]);
  return true;
}

export async function countRepository(git: Git): Promise<RepositoryCounts> {
  const [commits, { loose, packed }] = await Promise.all([
    git.text(['rev-list', '--count', '--branches', '--tags', '--']),
    countStored(git),
  ]);
  return { commits: Number(commits), objects: loose + packed };
}

async function countStored(git: Git): Promise<{ loose: number; packed: number; packs: number }> {
  const lines = (await git.text(['count-objects', '-v'])).split('\n').map((line) => line.split(': '));
  const counts = new Map(lines.map(([name, value]) => [name!, Number(value)]));
  return { loose: counts.get('count') ?? 0, packed: counts.get('in-pack') ?? 0, packs: counts.get('packs') ?? 0 };
}
