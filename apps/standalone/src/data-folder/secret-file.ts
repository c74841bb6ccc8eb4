import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** The secret in `file`, or undefined. Sets the file's mode so that only its owner can read it. */
export function readSecret(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  chmodSync(file, OWNER_ONLY);
  return readFileSync(file, 'utf8').trim();
}

/** Writes a secret that only its owner can read. Atomic, however the process ends. */
export function writeSecret(file: string, text: string): void {
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${text}\n`, { mode: OWNER_ONLY, flush: true });
  renameSync(unfinished, file);
}

/** The secret in `file`; creates a random one (256 bits) when there is none. */
export function getOrCreateSecret(file: string): string {
  const existing = readSecret(file);
  if (existing !== undefined) return existing;
  const text = randomBytes(32).toString('base64url');
  writeSecret(file, text);
  return text;
}
