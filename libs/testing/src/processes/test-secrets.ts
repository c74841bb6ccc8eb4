import { randomBytes } from 'node:crypto';

/** A key as an operator would choose one. */
export function createTestKey(name: string): string {
  return `ann_${name}_${randomBytes(24).toString('base64url')}`;
}

/** The token for `/metrics` of every process that a test starts. */
export const TEST_METRICS_TOKEN = 'metrics-token-in-tests';

export function createTestSecret(): string {
  return randomBytes(32).toString('base64url');
}
