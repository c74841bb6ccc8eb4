/** Tells of a failure. What the caller's function throws must not fail a model call either. */
export function report(error: unknown, onError: ((error: unknown) => void) | undefined): void {
  try {
    onError?.(error);
  } catch {
    // There is nobody left to tell.
  }
}
