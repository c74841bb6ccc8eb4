import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pack, packSdk } from '../sdk/install-sdk.js';
import { type InstalledPackage, linkLibraries } from '../sdk/module-package.js';

const PACKAGES = path.resolve(import.meta.dirname, '../../packages');
export const LANGGRAPH_FOLDER = path.join(PACKAGES, 'langgraph');

/** What a project has beside the package: its peers, and the library of the examples. */
const LIBRARIES = ['@langchain/core', '@langchain/langgraph', '@langchain/langgraph-checkpoint', 'undici'];

/** Makes a folder the project of a user who has installed `@annals/langgraph`, without a network. */
export function installLangGraph(project: string): InstalledPackage {
  const packed = pack(LANGGRAPH_FOLDER, project);
  const tarballs = [packSdk(project), pack(path.join(PACKAGES, 'state-delta'), project), packed].map(
    ({ tarball }) => tarball,
  );
  // Unpacked and not installed: npm would fetch what is linked below.
  for (const [index, name] of ['sdk', 'state-delta', 'langgraph'].entries()) {
    const folder = path.join(project, 'node_modules/@annals', name);
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-xzf', tarballs[index]!, '--strip-components=1', '-C', folder]);
  }
  linkLibraries(project, LANGGRAPH_FOLDER, LIBRARIES);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  return { packed, folder: path.join(project, 'node_modules/@annals/langgraph') };
}
