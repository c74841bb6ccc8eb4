import { createSecrets } from '../containers/stack/secrets.mjs';
import { createStack } from '../containers/stack/stack.mjs';
import { buildImages } from '../containers/images.mjs';
import { provideForeignImages } from '../containers/stand-ins/build-stand-ins.mjs';
import { listImages } from './render.mjs';

/** Builds our images as compose does, and gives Podman each that the objects name. */
export async function prepareImages(engine, podman, objects, print) {
  const foreign = await provideForeignImages(engine);
  if (foreign.standIns.length > 0) print(`stand-ins, since no registry answers: ${foreign.standIns.join(', ')}`);
  const images = listImages(objects);
  const version = images.find((image) => image.startsWith('annals/')).split(':')[1];
  buildImages(createStack(engine, createSecrets()), { ANNALS_VERSION: version, ANNALS_REVISION: 'test-kubernetes' });
  for (const image of images) podman.takeFromDocker(image);
  return images.join(', ');
}
