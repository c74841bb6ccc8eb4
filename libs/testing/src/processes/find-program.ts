import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

/**
 * Absolute path of what runs a program (`apps/gateway/dist/main.js`): its bundle in a whole lane, unless telemetry, which
 * instruments modules as they load, is set up (docs/decisions/0062-services-start-from-bundles.md).
 */
export function findProgram(program: string, env: Readonly<Record<string, string>> = {}): string {
  const { dir, base } = path.parse(path.join(ROOT, program));
  const isBundled = process.env['ANNALS_TEST_BUNDLES'] === 'true' && env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined;
  return path.join(dir, isBundled ? 'bundle' : '', base);
}
