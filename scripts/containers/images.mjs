import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { IMAGE_PROGRAMS } from '../build/programs.mjs';
import { inContainers } from './paths.mjs';

export const IMAGES = Object.keys(IMAGE_PROGRAMS);

/** Name of the image of a service in the version that is being tested. */
export function imageOf(service, version) {
  return `annals/${service}:${version}`;
}

/**
 * Builds every image of docker-compose.yml in one run, with the certificates that this computer trusts.
 * @param {ReturnType<typeof import('./stack/stack.mjs').createStack>} stack
 * @param {{ ANNALS_VERSION: string, ANNALS_REVISION: string }} labels
 */
export function buildImages(stack, labels) {
  const certificates = findCertificates();
  stack.set({ ...labels, ANNALS_SOURCE: 'https://example.com/annals' });
  if (certificates) {
    mkdirSync(inContainers(), { recursive: true });
    copyFileSync(certificates, inContainers('ca.pem'));
    stack.set({ ANNALS_BUILD_CA_FILE: path.join(stack.engine.repository, '.containers/ca.pem') });
  }
  stack.compose(['--progress', 'plain', 'build', ...IMAGES]);
}

/** The file of certificates that npm on this computer was told to trust, if there is one. */
function findCertificates() {
  const { ANNALS_BUILD_CA_FILE, NODE_EXTRA_CA_CERTS } = process.env;
  return [ANNALS_BUILD_CA_FILE, NODE_EXTRA_CA_CERTS].find((file) => file && existsSync(file));
}
