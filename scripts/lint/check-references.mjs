import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findProblems } from './references.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GENERATED = new Set(['pnpm-lock.yaml']);

/** The text files of the repository by path, including those that are not committed yet. */
function readRepository(root = ROOT) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = new Map();
  for (const file of listed.split('\0')) {
    if (file === '' || GENERATED.has(file)) continue;
    const text = readText(path.join(root, file));
    if (text !== undefined) files.set(file, text);
  }
  return files;
}

/** Undefined for a listed file that does not exist, and for a link to a folder. Empty for a binary file. */
function readText(file) {
  try {
    const text = readFileSync(file, 'utf8');
    return text.includes('\0') ? '' : text;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  }
}

const problems = findProblems(readRepository());
for (const { file, line, message } of problems) process.stderr.write(`${file}:${line}: ${message}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
