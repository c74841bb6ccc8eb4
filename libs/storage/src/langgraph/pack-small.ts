import { packBody } from '@annals/domain';

/** Most of what LangGraph stores are single messages, each as a delta and as a write: compressed they take 3/5. */
const MIN_COMPRESS_BYTES = 256;

export function packSmall(bytes: Uint8Array): Buffer {
  return packBody(bytes, MIN_COMPRESS_BYTES);
}
