import { existsSync, readdirSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';
import { say } from './say.mjs';

/** Compiles every app and lib, without their specs; what has not changed is left alone (0.1 s). */
export async function build(env) {
  if (!existsSync(inRoot('libs/contracts/dist/index.js'))) say('compiling all packages …');
  await mustRun('tsc', ['-b', ...packageFolders()], { env });
}

function packageFolders() {
  return ['libs', 'apps'].flatMap((kind) =>
    readdirSync(inRoot(kind))
      .map((name) => `${kind}/${name}`)
      .filter((folder) => existsSync(inRoot(folder, 'tsconfig.json'))),
  );
}
