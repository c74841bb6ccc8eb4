import { encodeModel, int, ints, node, toFloat } from './onnx-graph.js';
import { writeTinyModel } from './write-tiny-model.js';

/**
 * Writes a cross-encoder whose logit is the sum of the weights of all words of query and document, where the weight of a
 * word is its position in the vocabulary.
 */
export function writeTinyCrossEncoder(folder: string, vocabulary: readonly string[]): Promise<void> {
  return writeTinyModel(folder, { vocabulary, architecture: 'BertForSequenceClassification', graph: encodeGraph() });
}

/** logits = ReduceSum(Relu(input_ids − 4) · attention_mask): words of the vocabulary begin at id 5. */
function encodeGraph(): Uint8Array {
  const nodes = [
    toFloat('input_ids', 'ids'),
    toFloat('attention_mask', 'mask'),
    // Exp(0) four times: a constant without a tensor of its own.
    node('Sub', ['mask', 'mask'], 'zero'),
    node('Exp', ['zero'], 'one'),
    node('Sum', ['one', 'one', 'one', 'one'], 'four'),
    node('Sub', ['ids', 'four'], 'shifted'),
    node('Relu', ['shifted'], 'weights'),
    node('Mul', ['weights', 'mask'], 'masked'),
    node('ReduceSum', ['masked'], 'logits', [ints('axes', 1), int('keepdims', 1)]),
  ];
  return encodeModel(nodes, { name: 'logits', dimensions: ['batch', 1] });
}
