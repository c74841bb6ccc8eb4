import { HttpReranker, type HttpRerankerOptions } from './http-reranker.js';
import { OnnxReranker, type OnnxRerankerOptions } from './onnx-reranker.js';
import type { Reranker } from './reranker.js';

/** Which reranker to build; one member per kind. */
export type RerankConfig =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'http' } & HttpRerankerOptions)
  | ({ readonly kind: 'onnx' } & OnnxRerankerOptions);

/** Creates the configured reranker; null for kind `none`. */
export function createReranker(config: RerankConfig): Reranker | null {
  switch (config.kind) {
    case 'none':
      return null;
    case 'http':
      return new HttpReranker(config);
    case 'onnx':
      return new OnnxReranker(config);
  }
}
