import { Annals } from '@annals/sdk';

// What runtimes do differently: aborting, silence, and connections that end early. Prints one line for each, for
// runtimes.e2e-spec.ts, whose server misbehaves by the ids in the paths.
const annals = new Annals({ baseUrl: process.env.ANNALS_URL, apiKey: 'ann_1', timeoutMs: 600_000 });

/**
 * @param {string} title
 * @param {() => Promise<string>} work
 */
async function print(title, work) {
  const outcome = await work().catch((error) => `${error.name} ${error instanceof Error}`);
  console.log(`${title}: ${outcome}`);
}

/** Tells the server to break off what it streams; what has not been read by then may be lost. */
const loseConnection = () => annals.memories.get('lose-connection');

/** What a stream gives, and how it ends. */
async function readAll(source, describe, atEach = () => Promise.resolve()) {
  const seen = [];
  try {
    for await (const item of source) {
      seen.push(describe(item));
      await atEach();
    }
  } catch (error) {
    seen.push(error.name);
  }
  return seen.join(' ');
}

await print('abort without an answer', () => {
  const leaving = new AbortController();
  const reading = annals.memories.get('announced-then-silent', { signal: leaving.signal });
  // The server has the request when it has told another one.
  return annals.memories.get('wait-for-the-silent-one').then(() => {
    leaving.abort();
    return reading;
  });
});
await print('abort in a stream', () => {
  const leaving = new AbortController();
  const events = annals.batches.events('one-then-silence', { signal: leaving.signal });
  return readAll(
    events,
    ({ id }) => id,
    () => leaving.abort(),
  );
});
await print('silence', () => annals.memories.get('silent', { timeoutMs: 50, maxRetries: 0 }));
await print('silence in a stream', async () => {
  // However slow the machine is, the first event arrives within one of these limits.
  for (let timeoutMs = 100; ; timeoutMs *= 2) {
    const events = annals.batches.events('one-then-silence', { timeoutMs, maxRetries: 0 });
    const seen = await readAll(events, ({ id }) => id);
    if (seen !== 'TimeoutError') return seen;
  }
});
await print('a lost connection of a write', () => annals.memories.restore('lost-once').then(({ outcome }) => outcome));
await print('a lost connection of a stream', () =>
  readAll(annals.batches.events('resumed'), ({ id }) => id, loseConnection),
);
await print('an export that is cut off', () => readAll(annals.users.export('cut'), ({ kind }) => kind, loseConnection));
await print('an export that ends early', () => readAll(annals.users.export('short'), ({ kind }) => kind));
await print('leaving a stream', async () => {
  for await (const { id } of annals.batches.events('left')) if (id === '1') break;
  return annals.memories.get('wait-until-left').then(({ id }) => id);
});
await print('a lost connection', () => annals.memories.get('lost', { maxRetries: 0 }));
