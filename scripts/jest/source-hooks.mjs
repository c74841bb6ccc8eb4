import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { findSource } from './find-source.mjs';
import { swcOptions } from './swc-options.mjs';

/**
 * Lets this process import our TypeScript sources directly. jest applies its resolver and transform to test files only,
 * while its global setup runs outside of them.
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
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swcOptions('es6'), filename });
  return { format: 'module', source: code, shortCircuit: true };
}
