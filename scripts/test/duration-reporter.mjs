import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, root } from '../bootstrap/paths.mjs';

/** @param {string} profile */
export const measuredDurationsFile = (profile) => inRoot(`test-results/${profile}-durations.json`);

/**
 * Writes how long each spec of the run took, in seconds, for write-durations.mjs. With its hooks, which the times of
 * vitest's JSON report leave out: some specs do all of their work in `beforeAll`.
 */
export class DurationReporter {
  /** @type {Record<string, number>} */
  #seconds = {};
  #file;

  /** @param {string} profile */
  constructor(profile) {
    this.#file = measuredDurationsFile(profile);
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    this.#seconds[path.relative(root, module.moduleId)] = Math.round(module.diagnostic().duration / 1_000);
  }

  onTestRunEnd() {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(this.#seconds, null, 2)}\n`);
  }
}
