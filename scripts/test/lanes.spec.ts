import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { EMBEDDED_INTEGRATION, readRun, specPatterns } from './lanes.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('test lanes', () => {
  it('list existing specs, each for one capability', () => {
    const files = Object.values(EMBEDDED_INTEGRATION);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it('run unit specs and one spec per capability on the embedded database, and all integration specs on the services', () => {
    const embedded = specPatterns(readRun({}));
    expect(embedded.filter((pattern) => pattern.includes('int-spec'))).toEqual(
      Object.values(EMBEDDED_INTEGRATION).filter((file) => file.endsWith('int-spec.ts')),
    );
    expect(specPatterns(readRun({ ANNALS_TEST_PROFILE: 'services' })).join()).toMatch(/\*\.int-spec.*\*\.fault-spec/);
  });

  it('run long proofs only in the soak lane, or by their path', () => {
    const services = { ANNALS_TEST_PROFILE: 'services' };
    expect(specPatterns(readRun(services)).join()).not.toContain('soak-spec');
    expect(specPatterns(readRun({ ...services, ANNALS_TEST_EVERYTHING: 'true' })).join()).toContain('soak-spec');
  });

  it('run every kind of spec of a profile with ANNALS_TEST_EVERYTHING', () => {
    const patterns = specPatterns(readRun({ ANNALS_TEST_EVERYTHING: 'true' }));
    expect(patterns.join()).toMatch(/\*\.spec.*\*\.int-spec.*\*\.e2e-spec.*\*\.embedded-spec/);
  });

  it('reject an unknown profile, naming its variable', () => {
    expect(() => readRun({ ANNALS_TEST_PROFILE: 'mysql' })).toThrow('ANNALS_TEST_PROFILE');
  });

  it('use a worker a core and one more on the services, or as many as ANNALS_TEST_WORKERS says', () => {
    expect(readRun({}).workers).toBe(availableParallelism());
    expect(readRun({ ANNALS_TEST_PROFILE: 'services' }).workers).toBe(availableParallelism() + 3);
    expect(readRun({ ANNALS_TEST_WORKERS: '3' }).workers).toBe(3);
  });
});
