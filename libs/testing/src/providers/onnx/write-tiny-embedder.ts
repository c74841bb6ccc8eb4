import { encodeModel, int, ints, node, toFloat } from './onnx-graph.js';
import { writeTinyModel } from './write-tiny-model.js';

/** Dimensions of the vectors of `writeTinyEmbedder`. */
export const TINY_DIMENSIONS = 3;

/**
 * Writes an embedding model in which the token with the id `n` has the vector (sin n, cos n, 1). Words of the vocabulary
 * have the ids from 5 on; a text begins with the token 2 and ends with the token 3.
 */
export function writeTinyEmbedder(folder: string, vocabulary: readonly string[]): Promise<void> {
  return writeTinyModel(folder, { vocabulary, architecture: 'BertModel', graph: encodeGraph() });
}

function encodeGraph(): Uint8Array {
  const nodes = [
    toFloat('input_ids', 'ids'),
    node('Unsqueeze', ['ids'], 'tokens', [ints('axes', 2)]),
    node('Sin', ['tokens'], 'sin'),
    node('Cos', ['tokens'], 'cos'),
    // Exp(0): a constant without a tensor of its own.
    node('Sub', ['tokens', 'tokens'], 'zero'),
    node('Exp', ['zero'], 'one'),
    node('Concat', ['sin', 'cos', 'one'], 'last_hidden_state', [int('axis', 2)]),
  ];
  return encodeModel(nodes, { name: 'last_hidden_state', dimensions: ['batch', 'length', TINY_DIMENSIONS] });
}
