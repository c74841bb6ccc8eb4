import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pack, packSdk } from '../sdk/install-sdk.js';
import { type InstalledPackage, linkLibraries } from '../sdk/module-package.js';

export const AI_SDK_FOLDER = path.resolve(import.meta.dirname, '../../packages/ai-sdk');

/** What a project has beside the package: its peers, and the libraries of the examples. */
const LIBRARIES = ['ai', '@ai-sdk/provider', '@ai-sdk/openai', '@ai-sdk/anthropic', '@anthropic-ai/sdk', 'zod'];

/** Makes a folder the project of a user who has installed `@annals/ai-sdk`, without a network. */
export function installAiSdk(project: string): InstalledPackage {
  const packed = pack(AI_SDK_FOLDER, project);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  // The other peers are linked below, and would be fetched otherwise.
  const args = [
    'install',
    ...quiet,
    '--legacy-peer-deps',
    '--prefix',
    project,
    packSdk(project).tarball,
    packed.tarball,
  ];
  execFileSync('npm', args);
  linkLibraries(project, AI_SDK_FOLDER, LIBRARIES);
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  return { packed, folder: path.join(project, 'node_modules/@annals/ai-sdk') };
}
