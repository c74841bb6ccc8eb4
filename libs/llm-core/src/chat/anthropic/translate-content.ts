import { isJsonObject, type JsonObject } from '../../parsing/json-tree.js';
import { invalid, missing, unsupported } from './chat-request-error.js';
import { type Ignore, ignoreOthers, isGiven, readMark } from './json-fields.js';

/** What a data URL says about its data, such as `image/png;base64`. */
const MAX_DATA_HEADER = 200;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Where a part stands, such as `messages[2].content`. */
interface Place {
  readonly param: string;
  readonly ignore: Ignore;
}

/** Content of a message as blocks of the Messages API, which takes no text without words. */
export function translateContent(content: unknown, place: Place): JsonObject[] {
  if (!isGiven(content)) return [];
  if (typeof content === 'string') return keepWords([{ type: 'text', text: content }]);
  if (!Array.isArray(content)) throw invalid(place.param, `${place.param} must be a text or a list of parts.`);
  const blocks = content.map((part: unknown, index) => {
    const param = `${place.param}[${index}]`;
    if (typeof part === 'string') return { type: 'text', text: part };
    if (!isJsonObject(part)) throw invalid(param, `${param} must be a content part.`);
    return translatePart(part, { ...place, param });
  });
  return keepWords(blocks);
}

/** All text of a system message. */
export function translateTexts(content: unknown, place: Place): JsonObject[] {
  const blocks = translateContent(content, place);
  if (blocks.some(({ type }) => type !== 'text')) {
    throw unsupported(
      place.param,
      `${place.param} may have text only: Claude takes no other parts in a system message.`,
    );
  }
  return blocks;
}

function keepWords(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.filter(({ type, text }) => type !== 'text' || typeof text !== 'string' || /\S/.test(text));
}

/** A part that OpenAI does not know is one of the Messages API, and passed on. */
function translatePart(part: JsonObject, place: Place): JsonObject {
  switch (part.type) {
    case 'text':
      ignoreRest(part, ['text', 'citations'], place);
      return { type: 'text', text: part.text, ...pick(part, 'citations'), ...readMark(part) };
    case 'refusal':
      return { type: 'text', text: part.refusal, ...readMark(part) };
    case 'image_url':
      ignoreRest(part, ['image_url'], place);
      return { ...translateImage(part.image_url, place), ...readMark(part) };
    case 'file':
      ignoreRest(part, ['file'], place);
      return { ...translateFile(part.file, place), ...readMark(part) };
    case 'input_audio':
      throw unsupported(place.param, `${place.param} is audio, which Claude cannot hear: send its transcript.`);
    default:
      return part;
  }
}

function ignoreRest(part: JsonObject, known: readonly string[], { ignore }: Place): void {
  ignoreOthers(part, ['type', 'cache_control', ...known], 'messages[].content[].', ignore);
}

function pick(part: JsonObject, name: string): JsonObject {
  return isGiven(part[name]) ? { [name]: part[name] } : {};
}

function translateImage(image: unknown, { param, ignore }: Place): JsonObject {
  const { url, detail } = isJsonObject(image) ? image : { url: image, detail: undefined };
  if (typeof url !== 'string') throw missing(`${param}.image_url.url`);
  if (isGiven(detail) && detail !== 'auto') ignore('messages[].content[].image_url.detail');
  if (/^https?:\/\//i.test(url)) return { type: 'image', source: { type: 'url', url } };
  const { type, data } = readDataUrl(url, `${param}.image_url.url`);
  return buildImage(type, data, `${param}.image_url.url`);
}

function buildImage(type: string, data: string, param: string): JsonObject {
  const media_type = type === 'image/jpg' ? 'image/jpeg' : type;
  if (!IMAGE_TYPES.includes(media_type)) {
    throw invalid(param, `${param} is of type ${type}: Claude takes images as JPEG, PNG, GIF or WebP.`);
  }
  return { type: 'image', source: { type: 'base64', media_type, data } };
}

function translateFile(file: unknown, { param }: Place): JsonObject {
  if (!isJsonObject(file)) throw missing(`${param}.file`);
  const { filename, file_id: id, file_data: content } = file;
  const title = isGiven(filename) ? { title: filename } : {};
  if (isGiven(id)) return { type: 'document', source: { type: 'file', file_id: id }, ...title };
  if (typeof content !== 'string') throw missing(`${param}.file.file_data`);
  // Clients send PDFs as plain base64, too.
  const { type, data } = /^data:/i.test(content)
    ? readDataUrl(content, `${param}.file.file_data`)
    : { type: 'application/pdf', data: content };
  if (type.startsWith('image/')) return buildImage(type, data, `${param}.file.file_data`);
  if (type.startsWith('text/')) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  if (type !== 'application/pdf') {
    throw invalid(
      `${param}.file.file_data`,
      `${param}.file.file_data is of type ${type}: Claude takes PDF, text and images.`,
    );
  }
  return { type: 'document', source: { type: 'base64', media_type: type, data }, ...title };
}

function readDataUrl(url: string, param: string): { type: string; data: string } {
  const comma = url.slice(0, MAX_DATA_HEADER).indexOf(',');
  if (!/^data:/i.test(url) || comma === -1) throw invalid(param, `${param} must be an http(s) URL or a data URL.`);
  const [type = '', ...rest] = url.slice('data:'.length, comma).toLowerCase().split(';');
  if (!rest.includes('base64')) throw invalid(param, `${param} must be a data URL with base64.`);
  return { type, data: url.slice(comma + 1) };
}
