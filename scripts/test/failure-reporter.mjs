import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot, root } from '../bootstrap/paths.mjs';

/** Enough for a message, both values and the place in the spec. */
const LINES_OF_AN_ERROR = 25;

/** @param {string} profile */
export const failuresFile = (profile) => inRoot(`test-results/${profile}-failures.txt`);

/**
 * Writes what failed in a run, with errors that no test caught, which vitest's JSON report leaves out. CI prints the
 * file last, because the middle of a long log is often cut.
 */
export class FailureReporter {
  #profile;

  /** @param {string} profile */
  constructor(profile) {
    this.#profile = profile;
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { name?: string, message: string, stack?: string }[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const failures = [
      ...modules.flatMap(describeModule),
      ...unhandledErrors.map((error) => formatError('no test', error)),
    ];
    mkdirSync(path.dirname(failuresFile(this.#profile)), { recursive: true });
    writeFileSync(failuresFile(this.#profile), failures.map((failure) => `${this.#profile}: ${failure}\n`).join(''));
  }
}

/** @param {import('vitest/node').TestModule} module */
function describeModule(module) {
  const file = path.relative(root, module.moduleId);
  const suites = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => formatError(`${file} > ${suite.fullName}`, error)),
  );
  const tests = [...module.children.allTests('failed')].flatMap((test) =>
    (test.result().errors ?? []).map((error) => formatError(`${file} > ${test.fullName}`, error)),
  );
  return [...module.errors().map((error) => formatError(file, error)), ...suites, ...tests];
}

function formatError(place, { name, message, stack }) {
  const text = stack?.includes(message) ? stack : `${name ?? 'Error'}: ${message}\n${stack ?? ''}`;
  const lines = stripVTControlCharacters(text).split('\n').slice(0, LINES_OF_AN_ERROR);
  return `${place}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
