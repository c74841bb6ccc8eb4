import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findDebianMirror } from '../../services/debian-mirror.mjs';
import { runTool, succeeds } from '../../services/processes.mjs';
import { inContainers } from '../paths.mjs';
import { report } from '../report.mjs';

// Debian 13: a Docker engine with BuildKit and compose, and Podman 5, which runs Kubernetes files.
const SUITE = 'trixie';
const ENGINES = ['docker.io', 'docker-cli', 'docker-buildx', 'docker-compose', 'iptables'];
const PODMAN = ['podman', 'crun', 'netavark', 'aardvark-dns', 'nftables', 'catatonit'];
const TOOLS = ['passt', 'procps', 'iproute2'];

/** The file system of the machine. */
export const rootFolder = inContainers('root');

/** The same Debian before anything is installed in it, from which stand-in images are made. */
export const baseArchive = inContainers('base.tar');

/** Creates the machine's file system unless it exists: about a minute, 0.9 GB. */
export function ensureRoot() {
  if (existsSync(path.join(rootFolder, 'usr/bin/podman'))) return;
  if (!succeeds('debootstrap', ['--version'])) installDebootstrap();
  const unfinished = `${rootFolder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(inContainers(), { recursive: true });
  report('installing Debian 13 with Docker and Podman into .containers/root (once, about a minute) …');
  bootstrap(unfinished);
  archiveBase(unfinished);
  installEngines(unfinished);
  rmSync(rootFolder, { recursive: true, force: true });
  renameSync(unfinished, rootFolder);
}

function bootstrap(folder) {
  const { mirror, proxy } = findDebianMirror();
  const env = { ...process.env, ...(proxy && { http_proxy: proxy }) };
  runTool('debootstrap', ['--variant=minbase', SUITE, folder, mirror], { env });
}

// As in Debian's slim images.
const NOT_IN_SLIM = ['doc', 'man', 'locale', 'info', 'lintian'].map((name) => `./usr/share/${name}/*`);

function archiveBase(folder) {
  const skipped = ['./dev/*', './proc/*', './sys/*', './var/cache/apt/*', './var/lib/apt/lists/*', ...NOT_IN_SLIM];
  const args = ['--create', '--file', baseArchive, ...skipped.map((pattern) => `--exclude=${pattern}`)];
  runTool('tar', ['--directory', folder, ...args, '.']);
}

function installEngines(folder) {
  const { proxy } = findDebianMirror();
  copyNameService(folder);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...(proxy && { http_proxy: proxy }) };
  const args = ['install', '--quiet', '--yes', '--no-install-recommends', ...ENGINES, ...PODMAN, ...TOOLS];
  runTool('chroot', [folder, 'apt-get', ...args], { env });
  runTool('chroot', [folder, 'apt-get', 'clean'], { env });
}

/** Names are resolved in the machine as they are here. */
export function copyNameService(folder = rootFolder) {
  for (const file of ['etc/resolv.conf', 'etc/hosts']) copyFileSync(`/${file}`, path.join(folder, file));
}

function installDebootstrap() {
  report('installing debootstrap, which installs Debian into a folder …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  runTool('apt-get', ['update', '-q'], { env });
  runTool('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'debootstrap', 'debian-archive-keyring'], {
    env,
  });
}
