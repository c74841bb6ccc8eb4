import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** `annals-gateway` for the main file of the package `@annals/gateway`; undefined when there is no package around it. */
export function readServiceName(mainFile: string | undefined): string | undefined {
  if (mainFile === undefined) return undefined;
  try {
    const text = readFileSync(join(dirname(mainFile), '..', 'package.json'), 'utf8');
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === 'string' ? name.replace(/^@/, '').replace('/', '-') : undefined;
  } catch {
    return undefined;
  }
}
