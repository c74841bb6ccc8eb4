import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { findSource } from './find-source.mjs';

/** Decorators and field semantics as in tsconfig.base.json. */
const SWC_OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    // Node loads JSON only with its attribute.
    experimental: { keepImportAttributes: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

/**
 * Lets this process import TypeScript sources directly. vitest does that in its workers, but not in processes and
 * threads that specs start, and Node's own type stripping does not support decorators.
 */
export function registerSourceHooks() {
  registerHooks({ resolve: resolveSource, load: loadSource });
}

function resolveSource(specifier, context, nextResolve) {
  const fromFolder = context.parentURL?.startsWith('file:')
    ? path.dirname(fileURLToPath(context.parentURL))
    : undefined;
  const source = findSource(specifier, fromFolder);
  return source ? { url: pathToFileURL(source).href, shortCircuit: true } : nextResolve(specifier, context);
}

function loadSource(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...SWC_OPTIONS, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
