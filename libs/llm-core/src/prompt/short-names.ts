/** What a message of the batch is called in a prompt and in its answer: `m1`, `m2`, …. */
export function nameCitable(number: number): string {
  return `m${number}`;
}

/** What a context message is called: `c1`, `c2`, …. */
export function nameContext(number: number): string {
  return `c${number}`;
}

/** Any name that `nameContext` gives. */
export const CONTEXT_NAME = /^c\d+$/;
