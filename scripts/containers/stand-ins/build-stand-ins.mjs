import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { installPackages } from '../../bootstrap/tools.mjs';
import { baseArchive } from '../machine/build-root.mjs';
import { inContainers, repository } from '../paths.mjs';
import { report } from '../report.mjs';

const NPM_VERSION = '11.19.1';
const BASE = 'annals-stand-in/debian';
const RECIPES = 'scripts/containers/stand-ins';

/** Images that others publish: what the files name, and the stand-in for a machine that reaches no registry. */
function listForeignImages() {
  const compose = parse(readFileSync(path.join(repository, 'docker-compose.yml'), 'utf8'), { merge: true });
  const dockerfile = readFileSync(path.join(repository, 'Dockerfile'), 'utf8');
  const imageOf = (service) => compose.services[service].image;
  return [
    { image: /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)[1], standIn: 'node' },
    { image: imageOf('postgres'), standIn: 'postgres' },
    { image: imageOf('redis'), standIn: 'valkey' },
    { image: imageOf('prometheus'), standIn: 'prometheus' },
    { image: imageOf('grafana') },
    { image: imageOf('otel-collector') },
  ];
}

/**
 * Gets every foreign image into the machine's engine: from its registry, else as a stand-in under the same name.
 * @param {import('../engine.mjs').Engine} engine
 * @returns {Promise<{ pulled: string[], standIns: string[], missing: string[] }>}
 */
export async function provideForeignImages(engine) {
  const provided = { pulled: [], standIns: [], missing: [] };
  for (const { image, standIn } of listForeignImages()) {
    if (isStandIn(engine, image)) provided.standIns.push(image);
    else if (has(engine, image) || engine.tryDocker(['pull', '--quiet', image]).status === 0)
      provided.pulled.push(image);
    else if (standIn === undefined || !engine.isMachine) provided.missing.push(image);
    else {
      report(`no registry gives ${image}: building a stand-in …`);
      await build(engine, standIn, image);
      provided.standIns.push(image);
    }
  }
  return provided;
}

function has(engine, image) {
  return engine.tryDocker(['image', 'inspect', image]).status === 0;
}

function isStandIn(engine, image) {
  const { status, output } = engine.tryDocker(['image', 'inspect', '--format', '{{json .Config.Labels}}', image]);
  return status === 0 && output.includes('annals.stand-in');
}

async function build(engine, standIn, image) {
  if (!has(engine, BASE))
    engine.docker(['import', path.join(engine.repository, path.relative(repository, baseArchive)), BASE]);
  const context = standIn === 'node' ? await prepareNode(image) : RECIPES;
  const recipe = path.join(engine.repository, RECIPES, `${standIn}.Dockerfile`);
  engine.docker([
    'build',
    '--tag',
    image,
    '--file',
    recipe,
    ...proxyArguments(),
    path.join(engine.repository, context),
  ]);
}

/** @returns the build context: Node in the version of the image, and npm */
async function prepareNode(image) {
  const folder = inContainers('node');
  const version = /:(\d+\.\d+\.\d+)/.exec(image)[1];
  const name = `node-linux-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  await installPackages(folder, [
    { name, version },
    { name: 'npm', version: NPM_VERSION },
  ]);
  const neutral = path.join(folder, 'node_modules/node-linux');
  if (!existsSync(neutral)) cpSync(path.join(folder, 'node_modules', name), neutral, { recursive: true });
  return path.relative(repository, folder);
}

function proxyArguments() {
  return ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) =>
    process.env[name] ? ['--build-arg', `${name}=${process.env[name]}`] : [],
  );
}
