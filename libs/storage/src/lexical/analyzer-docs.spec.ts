import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANALYZER_VERSION } from '@annals/domain';

const GUIDE = readFileSync(join(__dirname, '../../../../docs/operating.md'), 'utf8');

describe('docs/operating.md', () => {
  it('looks for users whose index was made by an earlier version of the analyser than the present one', () => {
    const versions = [...GUIDE.matchAll(/\banalyzer < (\d+)/g)].map(([, version]) => Number(version));
    expect(versions.length).toBeGreaterThan(0);
    expect(versions).toEqual(versions.map(() => ANALYZER_VERSION));
  });
});
