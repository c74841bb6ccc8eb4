import { createChecklist } from './checklist.mjs';
import { checkContainers, checkStop } from './checks/container-checks.mjs';
import { checkImages } from './checks/image-checks.mjs';
import { checkMemory, checkRestart, checkScaling } from './checks/memory-checks.mjs';
import { checkMonitoring } from './checks/monitoring-checks.mjs';
import { checkUpgrade } from './checks/upgrade-checks.mjs';
import { hostEngine, machineEngine } from './engine.mjs';
import { buildImages } from './images.mjs';
import { findFreePort } from '../services/ports.mjs';
import { createSecrets } from './stack/secrets.mjs';
import { createStack, OWN_SERVICES } from './stack/stack.mjs';
import { provideForeignImages } from './stand-ins/build-stand-ins.mjs';

// `run-checks.mjs [machine]`: every check of `npm run test:containers`, on the Docker engine of this computer, or on the
// one in the machine, whose network this process is then in.
const VERSION = 'test-containers';
const engine = process.argv[2] === 'machine' ? machineEngine() : hostEngine();
const print = (line) => process.stdout.write(`${line}\n`);
const checklist = createChecklist(print);

const stack = createStack(engine, {
  ...createSecrets(),
  ANNALS_PUBLISH: `127.0.0.1:${await findFreePort()}`,
  ANNALS_GRAFANA_PUBLISH: `127.0.0.1:${await findFreePort()}`,
});

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stack.remove();
    process.exit(130);
  });

try {
  await runChecks();
} catch (error) {
  print(error.message);
} finally {
  stack.remove();
}
const { passed, failed } = checklist.summary();
print(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks() {
  print(`on ${engine.title}, ${engine.docker(['version', '--format', '{{.Server.Version}}']).trim()}`);
  const foreign = await provideForeignImages(engine);
  if (foreign.standIns.length > 0) print(`stand-ins, since no registry answers: ${foreign.standIns.join(', ')}`);
  stack.services = ['postgres', 'redis', 'migrate', ...OWN_SERVICES, ...monitoringServices(foreign.missing)];

  await checklist.must('the images are built', () =>
    buildImages(stack, { ANNALS_VERSION: VERSION, ANNALS_REVISION: 'first' }),
  );
  await checkImages(checklist, stack, VERSION);
  await checklist.must('compose starts every service, healthy', () => stack.up(stack.services));
  await checkContainers(checklist, stack);
  await checkMemory(checklist, stack);
  await checkRestart(checklist, stack);
  await checkScaling(checklist, stack);
  await checkUpgrade(checklist, stack);
  await checkMonitoring(checklist, stack);
  await checkStop(checklist, stack);
}

function monitoringServices(missing) {
  const isThere = (name) => !missing.some((image) => image.includes(name));
  return [
    ...(isThere('prom/prometheus') ? ['prometheus'] : []),
    ...(isThere('grafana/') && isThere('prom/prometheus') ? ['grafana'] : []),
    ...(isThere('opentelemetry-collector') ? ['otel-collector'] : []),
  ];
}
