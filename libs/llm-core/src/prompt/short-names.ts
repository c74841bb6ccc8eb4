/** Short name of a message of the batch in a prompt and in its answer: `m1`, `m2`, …. */
export function formatMessageShortName(number: number): string {
  return `m${number}`;
}

/** Short name of a context message: `c1`, `c2`, …. */
export function formatContextShortName(number: number): string {
  return `c${number}`;
}

/** Matches every name that `formatContextShortName` returns. */
export const CONTEXT_SHORT_NAME_PATTERN = /^c\d+$/;
