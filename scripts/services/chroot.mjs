import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findDebianMirror } from './debian-mirror.mjs';
import { inServices } from './paths.mjs';
import { runTool, succeeds } from './processes.mjs';
import { report } from './report.mjs';

// Debian 13: the first release with a package of pgvector.
const SUITE = 'trixie';
const PACKAGES = ['postgresql-17', 'postgresql-17-pgvector', 'pgbouncer', 'valkey-server', 'prometheus', 'kustomize'];
const chroot = inServices('chroot');

/**
 * Creates a folder with a minimal Debian and the servers, unless it exists (about 40 s, 0.9 GB).
 * @returns {string | undefined} its absolute path; undefined on a machine that cannot use it
 */
export function ensureChroot() {
  if (!canUseChroot()) return undefined;
  if (!isComplete()) buildChroot();
  return chroot;
}

/** Advice for a machine that cannot use a chroot. */
export function explainNoChroot() {
  return 'On Debian or Ubuntu, run this as root to install them into .services/chroot.';
}

function canUseChroot() {
  return process.platform === 'linux' && process.getuid() === 0 && (isComplete() || isDebianLike());
}

function isComplete() {
  return [
    'usr/lib/postgresql/17/bin/postgres',
    'usr/sbin/pgbouncer',
    'usr/bin/valkey-server',
    'usr/bin/prometheus',
    'usr/bin/promtool',
    'usr/bin/kustomize',
  ].every((file) => existsSync(path.join(chroot, file)));
}

function isDebianLike() {
  return (
    existsSync('/etc/os-release') && /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
  );
}

function buildChroot() {
  ensureDebootstrap();
  const { mirror, proxy } = findDebianMirror();
  const unfinished = `${chroot}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  report(
    'installing Debian with PostgreSQL 17, pgvector, PgBouncer, Valkey, Prometheus and kustomize into .services/chroot (once, about a minute) …',
  );
  const args = ['--variant=minbase', `--include=${PACKAGES.join(',')}`, SUITE, unfinished, mirror];
  runTool('debootstrap', args, { env: { ...process.env, ...(proxy && { http_proxy: proxy }) } });
  rmSync(path.join(unfinished, 'var/cache/apt/archives'), { recursive: true, force: true });
  rmSync(chroot, { recursive: true, force: true });
  renameSync(unfinished, chroot);
}

function ensureDebootstrap() {
  if (succeeds('debootstrap', ['--version'])) return;
  report('installing debootstrap, which installs Debian into a folder …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  runTool('apt-get', ['update', '-q'], { env });
  // Ubuntu needs the keyring to verify Debian's packages.
  const packages = ['debootstrap', 'debian-archive-keyring'];
  runTool('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], { env });
}
