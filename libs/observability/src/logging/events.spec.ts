import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from './events.js';

const ROOT = join(__dirname, '../../../..');

describe('the table of events', () => {
  it('contains only events that are logged somewhere', () => {
    const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT })
      .filter((path) => !/spec\.ts$|\.contract\.ts$|logging\/(?:audit-)?events\.ts$/.test(path))
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .join('\n');
    expect(Object.keys(EVENTS).filter((event) => !sources.includes(`'${event}'`))).toEqual([]);
  });
});
