import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { inServices, servicesFolder } from './paths.mjs';

const file = inServices('services.json');

/**
 * The running servers: `databaseUrl` and `redisUrl` are for every reader, the rest for `down` and `status`.
 * @typedef {{ databaseUrl: string, redisUrl: string, by: 'host' | 'docker', ports: { postgres: number, redis: number },
 *   pids?: { postgres: number, redis: number } }} ServicesState
 */

/** @returns {ServicesState | undefined} */
export function readState() {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @param {ServicesState} state */
export function writeState(state) {
  mkdirSync(servicesFolder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

export function removeState() {
  rmSync(file, { force: true });
}
