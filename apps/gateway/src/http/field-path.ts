// Names that are safe to repeat in a response: the name of an unknown field could contain user content.
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/**
 * `['messages', 3, 'content']` in `body` is `body.messages[3].content`. The path ends before a name that is not plain.
 */
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
