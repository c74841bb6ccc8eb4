import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SDK_FOLDER } from './install-sdk.js';

/** An example of the README, as a module of its own. */
export interface Example {
  readonly title: string;
  /** `example-2.ts`, or `.cjs` */
  readonly file: string;
  readonly code: string;
  /** The lines that it prints, as the README says. */
  readonly prints: readonly string[];
}

const BLOCK = /^## (.+)$|^```(ts|js)\n([\s\S]*?)^```$/gm;
const PRINTED = /\/\/ → (.*)$/gm;
const ADDRESS = 'http://127.0.0.1:8080';

/** The examples in the README of a package, in their order. The first one makes the client of the others. */
export function readExamples(packageFolder = SDK_FOLDER): Example[] {
  const readme = readFileSync(path.join(packageFolder, 'README.md'), 'utf8');
  let title = 'The client';
  let client = '';
  const examples: Example[] = [];
  for (const [, heading, language, code = ''] of readme.matchAll(BLOCK)) {
    title = heading ?? title;
    if (language === undefined) continue;
    if (!code.includes(ADDRESS) && !client) throw new Error('Begin the README with an example that makes the client.');
    const isWhole = code.includes('new Annals(');
    if (isWhole && language === 'ts') client = code;
    examples.push({
      title,
      file: `example-${examples.length + 1}.${language === 'js' ? 'cjs' : 'ts'}`,
      code: isWhole ? code : client + code,
      prints: Array.from(code.matchAll(PRINTED), ([, line]) => line!),
    });
  }
  return examples;
}

/** The example's code for an Annals that is reached at another address. */
export function addressed({ code }: Example, url: string): string {
  return code.replaceAll(ADDRESS, url);
}
