import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

/** A value of a serializer as text: JSON as it is, everything else in base64. */
export interface TypedText {
  readonly type: string;
  readonly text: string;
}

const JSON_TYPE = 'json';
const BASE64 = ';base64';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export async function serialize(serde: SerializerProtocol, value: unknown): Promise<TypedText> {
  const [type, bytes] = await serde.dumpsTyped(value);
  if (type === JSON_TYPE) return { type, text: decoder.decode(bytes) };
  return { type: type + BASE64, text: Buffer.from(bytes).toString('base64') };
}

export async function deserialize(serde: SerializerProtocol, { type, text }: TypedText): Promise<unknown> {
  if (!type.endsWith(BASE64)) return serde.loadsTyped(type, text) as Promise<unknown>;
  return serde.loadsTyped(
    type.slice(0, -BASE64.length),
    new Uint8Array(Buffer.from(text, 'base64')),
  ) as Promise<unknown>;
}
