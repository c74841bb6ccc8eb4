import path from 'node:path';

/** Absolute path of the repository. */
export const root = path.resolve(import.meta.dirname, '../..');

/** @param {...string} parts relative to the repository */
export function inRoot(...parts) {
  return path.join(root, ...parts);
}
