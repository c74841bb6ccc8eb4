import { createInterface } from 'node:readline';
import { registerSourceHooks } from '../../../../scripts/test/source-hooks.mjs';

// One process of a fleet. Each line it reads is a call of the breaker, its answer is a line.
registerSourceHooks();
const { SeededRng } = await import('@annals/domain');
const { createRedisCoordination } = await import('../index.ts');

// The processes send their commands all at once, and none of them may be given up.
const timeouts = { commandTimeoutMs: 30_000 };
const coordination = createRedisCoordination({ ...JSON.parse(process.argv[2]), ...timeouts, rng: new SeededRng(1) });
await coordination.ping();
const { breaker } = coordination;
answer('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { acquire, report } = JSON.parse(line);
  if (acquire) answer(await Promise.all(acquire.times.map((now) => breaker.acquire(acquire.circuit, now))));
  else answer(await breaker.report(report.circuit, report.reservation, report.outcome, report.now));
}
process.exit(0);

function answer(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
