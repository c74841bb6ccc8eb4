import path from 'node:path';

/** Absolute path of the repository. */
export const repository = path.resolve(import.meta.dirname, '../..');

/** What is kept between runs: the machine's file system and state. Ignored by git. */
const containersFolder = path.join(repository, '.containers');

/** @param {...string} parts relative to .containers */
export function inContainers(...parts) {
  return path.join(containersFolder, ...parts);
}
