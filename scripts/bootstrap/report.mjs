const HEARTBEAT_MS = 15_000;

/** Prints one line, on stderr, so that a command's own output can be piped. */
export function report(text) {
  process.stderr.write(`annals: ${text}\n`);
}

/**
 * Reports what is being done, every 15 s that it is still running, and at the end how long it took. A first run
 * downloads for a minute or two.
 * @template T
 * @param {string} text what is done, and why
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function reportWhile(text, work) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  report(`${text} …`);
  const heartbeat = setInterval(() => report(`… still running (${seconds()})`), HEARTBEAT_MS);
  try {
    const result = await work();
    report(`… done in ${seconds()}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
