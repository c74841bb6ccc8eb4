import { readSystemRandomBytes } from '@annals/domain';

/** Random bytes as what is written to the database takes them. */
export function randomBytes(size: number): Buffer {
  return Buffer.from(readSystemRandomBytes(size));
}
