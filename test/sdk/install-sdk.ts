import { execFileSync } from 'node:child_process';
import path from 'node:path';

export const SDK_FOLDER = path.resolve(import.meta.dirname, '../../packages/sdk');

export interface PackedPackage {
  readonly tarball: string;
  readonly bytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
}

/** Packs the client as it would be published, from its build, into a folder. */
export function packSdk(folder: string): PackedPackage {
  return pack(SDK_FOLDER, folder);
}

/** Packs a package of this repository. */
export function pack(packageFolder: string, folder: string): PackedPackage {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: packageFolder, encoding: 'utf8' })) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  return {
    tarball: path.join(folder, path.basename(packed.filename)),
    bytes: packed.size,
    unpackedBytes: packed.unpackedSize,
    files: packed.files.map((file) => file.path),
  };
}

/** Makes a folder in which `@annals/sdk` is installed, without a network. Returns the folder of the package. */
export function installSdk(folder: string): string {
  const { tarball } = packSdk(folder);
  const quiet = ['--offline', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, '--prefix', folder, tarball]);
  return path.join(folder, 'node_modules/@annals/sdk');
}
