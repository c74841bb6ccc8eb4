const POLL_MS = 10;

/** Waits until `condition` holds; fails with `what` after `timeoutMs`. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedMs > timeoutMs) throw new Error(`Not so within ${timeoutMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
