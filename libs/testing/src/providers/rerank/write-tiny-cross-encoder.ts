import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Field numbers of ONNX's onnx.proto (opset 11, IR 7) that the graph below needs. */
const MODEL = { irVersion: 1, graph: 7, opsetImport: 8 } as const;
const OPSET = { version: 2 } as const;
const GRAPH = { node: 1, name: 2, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, opType: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, i: 3, ints: 8, type: 20 } as const;
const VALUE_INFO = { name: 1, type: 2 } as const;
const TYPE = { tensorType: 1 } as const;
const TENSOR_TYPE = { elemType: 1, shape: 2 } as const;
const SHAPE = { dim: 1 } as const;
const DIM = { value: 1, param: 2 } as const;
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: 64,
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};

const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/**
 * Writes a cross-encoder of a few bytes into `folder`, laid out as transformers.js reads it: a word tokenizer over
 * `vocabulary`, and an ONNX graph whose logit is the sum of the weights of all words of query and document, where the
 * weight of a word is its position in the vocabulary. Uses the real runtime without a download.
 */
export async function writeTinyCrossEncoder(folder: string, vocabulary: readonly string[]): Promise<void> {
  await mkdir(path.join(folder, 'onnx'), { recursive: true });
  const write = (name: string, content: string | Uint8Array) => writeFile(path.join(folder, name), content);
  await Promise.all([
    write('config.json', JSON.stringify({ model_type: 'bert', architectures: ['BertForSequenceClassification'] })),
    write('tokenizer_config.json', JSON.stringify(TOKENIZER_CONFIG)),
    write('tokenizer.json', JSON.stringify(describeTokenizer(vocabulary))),
    write('onnx/model_quantized.onnx', encodeGraph()),
  ]);
}

function describeTokenizer(vocabulary: readonly string[]): object {
  const special = (id: number) => ({
    id,
    content: WORDS[id],
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const piece = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: WORDS.map((_, id) => special(id)),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]', 0), sequence('A', 0), piece('[SEP]', 0)],
      pair: [piece('[CLS]', 0), sequence('A', 0), piece('[SEP]', 0), sequence('B', 1), piece('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((word) => [word, { id: word, ids: [WORDS.indexOf(word)], tokens: [word] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...WORDS, ...vocabulary].map((word, id) => [word, id])),
    },
  };
}

/** logits = ReduceSum(Relu(input_ids − 4) · attention_mask): words of the vocabulary begin at id 5. */
function encodeGraph(): Uint8Array {
  const node = (type: string, inputs: string[], output: string, attributes: Buffer[] = []) =>
    field(
      GRAPH.node,
      Buffer.concat([
        ...inputs.map((input) => text(NODE.input, input)),
        text(NODE.output, output),
        text(NODE.opType, type),
        ...attributes.map((attribute) => field(NODE.attribute, attribute)),
      ]),
    );
  const int = (name: string, value: number) =>
    Buffer.concat([text(ATTRIBUTE.name, name), number(ATTRIBUTE.i, value), number(ATTRIBUTE.type, ATTRIBUTE_INT)]);
  const ints = (name: string, value: number) =>
    Buffer.concat([text(ATTRIBUTE.name, name), number(ATTRIBUTE.ints, value), number(ATTRIBUTE.type, ATTRIBUTE_INTS)]);
  const toFloat = (from: string, to: string) => node('Cast', [from], to, [int('to', FLOAT)]);
  const graph = Buffer.concat([
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
    text(GRAPH.name, 'tiny'),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      field(GRAPH.input, describeTensor(name, INT64, ['batch', 'length'])),
    ),
    field(GRAPH.output, describeTensor('logits', FLOAT, ['batch', 1])),
  ]);
  return Buffer.concat([
    number(MODEL.irVersion, 7),
    field(MODEL.graph, graph),
    field(MODEL.opsetImport, number(OPSET.version, 11)),
  ]);
}

function describeTensor(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((dimension) =>
    field(SHAPE.dim, typeof dimension === 'number' ? number(DIM.value, dimension) : text(DIM.param, dimension)),
  );
  const tensor = Buffer.concat([number(TENSOR_TYPE.elemType, type), field(TENSOR_TYPE.shape, Buffer.concat(shape))]);
  return Buffer.concat([text(VALUE_INFO.name, name), field(VALUE_INFO.type, field(TYPE.tensorType, tensor))]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function number(fieldNumber: number, value: number): Buffer {
  return Buffer.concat([varint(fieldNumber * 8), varint(value)]);
}

function field(fieldNumber: number, value: Buffer): Buffer {
  return Buffer.concat([varint(fieldNumber * 8 + 2), varint(value.length), value]);
}

function text(fieldNumber: number, value: string): Buffer {
  return field(fieldNumber, Buffer.from(value, 'utf8'));
}
