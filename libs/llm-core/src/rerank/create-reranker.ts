import { HttpReranker, type HttpRerankerOptions } from './http-reranker.js';
import type { OnnxModelOptions } from '../onnx/load-transformers.js';
import { OnnxReranker } from './onnx-reranker.js';
import type { Reranker } from './reranker.js';

/** Which reranker to build; one member per kind. */
export type RerankConfig =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'http' } & HttpRerankerOptions)
  | ({ readonly kind: 'onnx' } & OnnxModelOptions);

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
