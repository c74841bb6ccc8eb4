/** What a message of the batch is called in a prompt and in its answer: `m1`, `m2`, …. */
export function formatMessageShortName(number: number): string {
  return `m${number}`;
}

/** What a context message is called: `c1`, `c2`, …. */
export function formatContextShortName(number: number): string {
  return `c${number}`;
}

/** Any name that `formatContextShortName` gives. */
export const CONTEXT_SHORT_NAME_PATTERN = /^c\d+$/;
