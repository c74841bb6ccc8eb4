import { randomBytes } from 'node:crypto';

/** A key as an operator would choose one. */
export function createTestKey(name: string): string {
  return `ann_${name}_${randomBytes(24).toString('base64url')}`;
}

export function createTestSecret(): string {
  return randomBytes(32).toString('base64url');
}
