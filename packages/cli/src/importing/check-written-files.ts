import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../failure.js';
import { STATE_SIGN, temporaryOf } from './state-file.js';

/** The files of an import: what it reads, and what it writes. */
export interface ImportFiles {
  readonly input: string;
  readonly state: string;
  readonly notTaken: string | undefined;
}

const SIGN_BYTES = 256;

/**
 * Throws `Failure` when writing would destroy something: the input, the other file that is written, or a file that is
 * no state of an import in the place of one. Links are the file that they lead to.
 */
export async function checkWrittenFiles({ input, state, notTaken }: ImportFiles): Promise<void> {
  const temporary = temporaryOf(state);
  const [read, noted, rewritten, list] = await Promise.all(
    [input, state, temporary, notTaken].map(async (file) => (file === undefined ? null : identify(file))),
  );
  if (noted === read || rewritten === read) {
    throw new Failure(`${state} would overwrite the file to import: give another path with --state.`);
  }
  if (list === read) {
    throw new Failure(
      `${notTaken} is the file to import and would be overwritten: give another path with --not-taken.`,
    );
  }
  if (list === noted || list === rewritten) {
    throw new Failure(`${notTaken} is also written with --state: give --not-taken and --state different paths.`);
  }
  for (const file of [state, temporary]) {
    if (!(await isReplaceable(file))) {
      throw new Failure(`${file} is there already and is no state of an import: give another path with --state.`);
    }
  }
}

/** The same for every path of a file, and for every path at which one would be created. */
async function identify(file: string): Promise<string> {
  const facts = await stat(file, { bigint: true }).catch(() => null);
  if (facts) return `${facts.dev}:${facts.ino}`;
  const folder = path.resolve(path.dirname(file));
  return path.join(await realpath(folder).catch(() => folder), path.basename(file));
}

/** Whether nothing is there, or nothing that is missed. Of a state that was cut off, the beginning is enough. */
async function isReplaceable(file: string): Promise<boolean> {
  const facts = await stat(file).catch(() => null);
  if (!facts) return true;
  if (!facts.isFile()) return false;
  return facts.size === 0 || STATE_SIGN.test(await readBeginning(file));
}

async function readBeginning(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (!handle) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGN_BYTES), 0, SIGN_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
