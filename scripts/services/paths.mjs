import path from 'node:path';

/** Everything the services store between runs: chroot, data, logs, state. Ignored by git. */
export const servicesFolder = path.resolve(import.meta.dirname, '../../.services');

/** @param {...string} parts relative to .services */
export function inServices(...parts) {
  return path.join(servicesFolder, ...parts);
}
