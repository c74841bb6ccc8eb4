import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { configureGlobal } from 'fast-check';
import { afterAll, vi } from 'vitest';

/** Seed of property-based tests; the soak lane uses random seeds, and a failed test prints its seed. */
const PINNED_SEED = 20_260_105;
/** An embedded database is some 250 MB outside of the heap; after its end they do not make V8 collect garbage. */
const MAX_EXTERNAL_BYTES = 100_000_000;

if (process.env.ANNALS_TEST_SIZE !== 'soak') configureGlobal({ seed: PINNED_SEED });

// A test run that is killed does not end its workers, which would continue with everything that specs have started.
if (!process.listeners('disconnect').some(({ name }) => name === endWithRun.name)) {
  process.on('disconnect', endWithRun);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

// Spec files share a process: spies, fake timers and memory of one file must not affect the next.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  if (process.memoryUsage().external > MAX_EXTERNAL_BYTES) collectGarbage();
});

function endWithRun() {
  process.exit(1);
}
