import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Derives the service name from the package of the main file: `annals-gateway` for `@annals/gateway`. Undefined when no
 * package.json is found.
 */
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
