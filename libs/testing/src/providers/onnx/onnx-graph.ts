/** Field numbers of ONNX's onnx.proto (opset 11, IR 7) that tiny models need. */
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

/** A node of a graph, encoded. */
export function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Buffer[] = [],
): Buffer {
  return field(
    GRAPH.node,
    Buffer.concat([
      ...inputs.map((input) => text(NODE.input, input)),
      text(NODE.output, output),
      text(NODE.opType, type),
      ...attributes.map((attribute) => field(NODE.attribute, attribute)),
    ]),
  );
}

/** An attribute with one integer. */
export function int(name: string, value: number): Buffer {
  return Buffer.concat([text(ATTRIBUTE.name, name), number(ATTRIBUTE.i, value), number(ATTRIBUTE.type, ATTRIBUTE_INT)]);
}

/** An attribute with a list of one integer. */
export function ints(name: string, value: number): Buffer {
  return Buffer.concat([
    text(ATTRIBUTE.name, name),
    number(ATTRIBUTE.ints, value),
    number(ATTRIBUTE.type, ATTRIBUTE_INTS),
  ]);
}

export const toFloat = (from: string, to: string): Buffer => node('Cast', [from], to, [int('to', FLOAT)]);

/** A model that reads what a BERT tokenizer returns, with one output of floats; a dimension is a number or a name. */
export function encodeModel(
  nodes: readonly Buffer[],
  output: { readonly name: string; readonly dimensions: readonly (string | number)[] },
): Buffer {
  const graph = Buffer.concat([
    ...nodes,
    text(GRAPH.name, 'tiny'),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      field(GRAPH.input, describeTensor(name, INT64, ['batch', 'length'])),
    ),
    field(GRAPH.output, describeTensor(output.name, FLOAT, output.dimensions)),
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
