import { createInterface } from 'node:readline';
import { registerSourceHooks } from '../../../../scripts/test/source-hooks.mjs';

// One process of a fleet. Each line of its input is a call of the breaker, and the result is a line of its output.
registerSourceHooks();
const { SeededRng } = await import('@annals/domain');
const { createRedisCoordination } = await import('../index.ts');

// The processes send their commands concurrently, and none may time out.
const timeouts = { commandTimeoutMs: 30_000 };
const coordination = createRedisCoordination({ ...JSON.parse(process.argv[2]), ...timeouts, rng: new SeededRng(1) });
await coordination.ping();
const { breaker } = coordination;
respond('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const { acquire, report } = JSON.parse(line);
  if (acquire) respond(await Promise.all(acquire.times.map((now) => breaker.acquire(acquire.circuit, now))));
  else respond(await breaker.report(report.circuit, report.reservation, report.outcome, report.now));
}
process.exit(0);

function respond(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
