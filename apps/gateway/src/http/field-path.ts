// Names that are safe to repeat in an answer: an unknown field can be called anything, someone's words included.
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/** `['messages', 3, 'content']` in `body` is `body.messages[3].content`; names that are not plain end the path. */
export function formatFieldPath(part: string, path: readonly PropertyKey[]): string {
  let text = part;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (isPlainName(step)) text += `.${step}`;
    else return text;
  }
  return text;
}

export function isPlainName(name: PropertyKey): name is string {
  return typeof name === 'string' && PLAIN_NAME.test(name);
}
