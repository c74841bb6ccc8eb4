import { createChecklist, expect } from '../containers/checklist.mjs';
import { machineEngine } from '../containers/engine.mjs';
import { prepareImages } from './images.mjs';
import { checkMemories } from './memory-checks.mjs';
import { createPodman } from './podman.mjs';
import { createPods } from './pods.mjs';
import { checkSecurity, checkStop } from './pod-checks.mjs';
import { jobOf, renderLocal } from './render.mjs';

// Every check of `npm run test:kubernetes`, in the network of the machine.
const STORES = ['annals-postgres', 'annals-valkey'];
const SERVICES = ['gateway', 'extraction', 'persistence', 'tom-insight', 'consolidation-worker'].map(
  (service) => `annals-${service}`,
);
const GATEWAY = '127.0.0.1:18080';

const print = (line) => process.stdout.write(`${line}\n`);
const checklist = createChecklist(print);
const engine = machineEngine();
const podman = createPodman(engine);
const objects = renderLocal();
const pods = createPods(podman, objects);

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    pods.remove();
    process.exit(130);
  });

try {
  await runChecks();
} catch (error) {
  print(error.message);
} finally {
  pods.remove();
  podman.removeNetwork();
}
const { passed, failed } = checklist.summary();
print(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function runChecks() {
  podman.prepare();
  print(`on Podman ${podman.version()}`);
  await checklist.must('the images of the overlay are there', () => prepareImages(engine, podman, objects, print));
  await checklist.must('Secrets and volumes are made', () => pods.playShared());
  await checklist.must('PostgreSQL and Valkey are ready, as users without rights', () => startStores());
  await checklist.must('the migration ends', () => runJob(pods.find('Job', 'annals-migrate')));
  await checklist.must('every service is ready by its probe', () => startServices());
  await checkSecurity(checklist, podman, pods, { stores: STORES, services: SERVICES });
  await checkMemories(checklist, GATEWAY);
  await checklist.check('the doctor finds nothing wrong, as a Job of its CronJob', () =>
    runDoctor('annals-doctor', 'doctor-1'),
  );
  await checklist.check('the audit histories are verified, as a Job of its CronJob', () =>
    runDoctor('annals-verify', 'verify-1'),
  );
  await checkStop(checklist, podman, pods, SERVICES);
}

async function startStores() {
  for (const name of STORES) pods.play(pods.find('Deployment', name));
  for (const name of STORES) await pods.waitReady(name);
}

async function startServices() {
  for (const name of SERVICES)
    pods.play(pods.find('Deployment', name), name === 'annals-gateway' ? { publish: `${GATEWAY}:8080` } : {});
  for (const name of SERVICES) await pods.waitReady(name);
  return SERVICES.join(', ');
}

async function runJob(job) {
  pods.play(job);
  const lines = await pods.waitComplete(job.metadata.name);
  return lines.at(-1);
}

async function runDoctor(cronJob, name) {
  const last = await runJob(jobOf(pods.find('CronJob', cronJob), name));
  expect(last !== '', 'It says nothing.');
  return last;
}
