import { existsSync } from 'node:fs';
import path from 'node:path';
import { EMBEDDED_INTEGRATION, readRun, specPatterns } from './lanes.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('the lanes of tests', () => {
  it('name specs that exist, each for one capability', () => {
    const files = Object.values(EMBEDDED_INTEGRATION);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });

  it('run units and the capabilities on the embedded database, and every integration spec on the services', () => {
    const embedded = specPatterns(readRun({}));
    expect(embedded.filter((pattern) => pattern.includes('int-spec'))).toEqual(
      Object.values(EMBEDDED_INTEGRATION).filter((file) => file.endsWith('int-spec.ts')),
    );
    expect(specPatterns(readRun({ ANNALS_TEST_PROFILE: 'services' })).join()).toMatch(/\*\.int-spec.*\*\.fault-spec/);
  });

  it('run whatever a profile can run when all of it is asked for', () => {
    const patterns = specPatterns(readRun({ ANNALS_TEST_EVERYTHING: 'true' }));
    expect(patterns.join()).toMatch(/\*\.spec.*\*\.int-spec.*\*\.e2e-spec.*\*\.embedded-spec/);
  });

  it('refuse a profile that they do not know, by its variable', () => {
    expect(() => readRun({ ANNALS_TEST_PROFILE: 'mysql' })).toThrow('ANNALS_TEST_PROFILE');
  });

  it('take as many workers as there are cores, or as are asked for', () => {
    expect(readRun({}).workers).toBeGreaterThan(0);
    expect(readRun({ ANNALS_TEST_WORKERS: '3' }).workers).toBe(3);
  });
});
