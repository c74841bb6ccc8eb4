import { readSystemRandomBytes } from '@annals/domain';

/** Random bytes as a Buffer, the type that database writes take. */
export function randomBytes(size: number): Buffer {
  return Buffer.from(readSystemRandomBytes(size));
}
