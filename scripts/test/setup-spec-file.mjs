import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { configureGlobal } from 'fast-check';
import { afterAll, vi } from 'vitest';

/** Properties are tried with the same values each time; the soak lane draws new ones and prints its seed when one fails. */
const PINNED_SEED = 20_260_105;
/** An embedded database is some 250 MB outside of the heap, where V8 sees no reason to look for what is left of one. */
const MAX_EXTERNAL_BYTES = 100_000_000;

if (process.env.ANNALS_TEST_SIZE !== 'soak') configureGlobal({ seed: PINNED_SEED });

// Killed, the test run does not end its workers; they would go on with all that specs have started.
if (!process.listeners('disconnect').some(({ name }) => name === endWithRun.name)) {
  process.on('disconnect', endWithRun);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

// Files share a process: what one of them spied on or opened, the next must find as it was.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  if (process.memoryUsage().external > MAX_EXTERNAL_BYTES) collectGarbage();
});

function endWithRun() {
  process.exit(1);
}
