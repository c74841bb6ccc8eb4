const BLANK_START = /^[\s\u200b-\u200d\u2060\ufeff\u0000]+/;
const THOUGHT = /^<think(?:ing)?>[^]*?<\/think(?:ing)?>[\s\u200b-\u200d\u2060\ufeff]*/i;
const UNFINISHED_THOUGHT = /^<think(?:ing)?>/i;
const LEFTOVER_THOUGHT = /^[^]*<\/think(?:ing)?>/i;
const QUOTES_AS_ENTITIES = /^[{[][\s[{]*&(?:quot|#34|#x22);/i;
const QUOTES_ESCAPED = /^[{[][\s[{]*\\"/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&#x22;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/**
 * Extracts the part of an answer that may contain a document: removes byte order marks and `<think>` blocks of
 * reasoning models, and decodes a string or HTML around it. Empty if the answer is an unfinished `<think>` block.
 */
export function unwrapText(text: string): string {
  const trimmed = dropThoughts(text.replace(BLANK_START, '')).replace(BLANK_START, '').trimEnd();
  return unwrapString(trimmed) ?? trimmed;
}

/** Decodes one document: entities or backslashes before every quote mean that it was encoded once too often. */
export function decodeDocument(document: string): string {
  if (QUOTES_AS_ENTITIES.test(document)) {
    return document.replace(
      /&(?:quot|apos|lt|gt|amp|#34|#39|#x22|#x27);/gi,
      (name) => ENTITIES[name.toLowerCase()] ?? name,
    );
  }
  if (!QUOTES_ESCAPED.test(document)) return document;
  return (
    unwrapString(`"${document.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`) ?? document
  );
}

function dropThoughts(text: string): string {
  let rest = text;
  for (let thought = THOUGHT.exec(rest); thought; thought = THOUGHT.exec(rest)) rest = rest.slice(thought[0].length);
  if (UNFINISHED_THOUGHT.test(rest)) return '';
  // The opening tag can be missing, because chat templates put it into the prompt. A document may contain the closing
  // tag in a string.
  return /^[{["`~]/.test(rest) ? rest : rest.replace(LEFTOVER_THOUGHT, '');
}

function unwrapString(text: string): string | null {
  if (!text.startsWith('"') || !text.endsWith('"')) return null;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' && /[{[]/.test(inner) ? inner.replace(BLANK_START, '') : null;
  } catch {
    return null;
  }
}
