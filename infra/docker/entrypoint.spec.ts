import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ENTRYPOINT = path.resolve(import.meta.dirname, 'entrypoint.sh');

describe('the entrypoint of the images', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'annals-entrypoint-'));
    // Prints what it would run.
    writeFileSync(path.join(folder, 'node'), '#!/bin/sh\necho "$@"\n');
    chmodSync(path.join(folder, 'node'), 0o755);
    mkdirSync(path.join(folder, 'apps/gateway/dist/bundle'), { recursive: true });
    writeFileSync(path.join(folder, 'apps/gateway/dist/bundle/main.js'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = (program: string[], env: Record<string, string> = {}): string =>
    execFileSync('/bin/sh', [ENTRYPOINT, ...program], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, ...env },
      encoding: 'utf8',
    }).trim();

  it('runs the bundle of a service', () => {
    expect(start(['apps/gateway/dist/main.js'])).toBe('--enable-source-maps apps/gateway/dist/bundle/main.js');
  });

  it('runs the modules of a service, which can be instrumented, when a trace exporter is configured', () => {
    expect(start(['apps/gateway/dist/main.js'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toBe(
      '--enable-source-maps --import /app/libs/observability/dist/otel.js apps/gateway/dist/main.js',
    );
  });

  it('runs a program without a bundle, with its arguments', () => {
    expect(start(['apps/doctor/dist/main.js', 'verify', '--json'])).toBe(
      '--enable-source-maps apps/doctor/dist/main.js verify --json',
    );
  });
});
