import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pack, type PackedPackage, packSdk } from '../sdk/install-sdk.js';

export const AI_SDK_FOLDER = path.resolve(import.meta.dirname, '../../packages/ai-sdk');

/** What a project has beside the package: its peers, and the libraries of the examples. */
const LIBRARIES = ['ai', '@ai-sdk/provider', '@ai-sdk/openai', '@ai-sdk/anthropic', '@anthropic-ai/sdk', 'zod'];

export interface InstalledAiSdk {
  readonly packed: PackedPackage;
  /** The folder of the package. */
  readonly folder: string;
}

/** Makes a folder the project of a user who has installed `@annals/ai-sdk`, without a network. */
export function installAiSdk(project: string): InstalledAiSdk {
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
  for (const library of LIBRARIES) {
    const link = path.join(project, 'node_modules', library);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(realpathSync(path.join(AI_SDK_FOLDER, 'node_modules', library)), link);
  }
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
  return { packed, folder: path.join(project, 'node_modules/@annals/ai-sdk') };
}
