import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NO_ENGINE, parseOptions } from './options.mjs';

const COMMAND = path.resolve(import.meta.dirname, 'test-containers.mjs');

describe('options of test:containers', () => {
  it('change nothing on this machine unless they say so', () => {
    expect(parseOptions([])).toEqual({ mayBuildMachine: false, keep: false, rest: [] });
    expect(parseOptions(['--disposable-machine', '--keep', '--', 'docker', 'ps'])).toEqual({
      mayBuildMachine: true,
      keep: true,
      rest: ['docker', 'ps'],
    });
  });

  it('are refused when they are misspelt', () => {
    expect(() => parseOptions(['--disposable'])).toThrow(
      'Unknown argument --disposable. Use: --disposable-machine, --keep.',
    );
  });

  it('refuse a machine without Docker in one sentence', () => {
    const emptyPath = mkdtempSync(path.join(tmpdir(), 'annals-no-docker-'));
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND], {
      env: { PATH: emptyPath },
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `containers: ${NO_ENGINE}\n` });
  });
});
