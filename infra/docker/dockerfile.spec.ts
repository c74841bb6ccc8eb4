import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** Target of the Dockerfile and the module it runs. */
const programs = [...dockerfile.matchAll(/^FROM runtime AS ([\w-]+)\n(?:.+\n)*?CMD \["(.+)"\]/gm)].map(
  ([, target, file]) => ({ target: target!, file: file! }),
);

describe('the Dockerfile', () => {
  it('has a target for the migration and for every service', () => {
    expect(programs.map(({ target }) => target).toSorted()).toEqual([
      'consolidation-worker',
      'extraction',
      'gateway',
      'migrate',
      'persistence',
      'tom-insight',
    ]);
  });

  it.each(programs)('runs a program as $target, not a module that only exports', ({ file }) => {
    const source = readFileSync(path.join(root, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts')), 'utf8');
    expect(source).not.toMatch(/^export /m);
    expect(source).toMatch(/loadConfigOrExit/);
  });

  it.each(['extraction', 'persistence', 'tom-insight', 'consolidation-worker', 'gateway'])(
    'lets %s be reached from outside its container',
    (target) => {
      const stage = dockerfile.split(`FROM runtime AS ${target}\n`)[1]!.split('\nFROM ')[0];
      expect(stage).toContain('ANNALS_HTTP_HOST=0.0.0.0');
    },
  );
});
