#!/usr/bin/env node
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureChroot } from './chroot.mjs';
import { findDebianMirror } from './debian-mirror.mjs';
import { inServices } from './paths.mjs';
import { runTool, succeeds } from './processes.mjs';
import { report } from './report.mjs';

// The browser of `*.browser-spec.ts`. As a program it prints the path of its executable, after installing it if need be.

const ON_THIS_MACHINE = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const PACKAGES = ['chromium-headless-shell', 'fonts-dejavu-core', 'patchelf'];
const PROGRAM = '/usr/lib/chromium/chromium-headless-shell';
const LIBRARIES = '/usr/lib/x86_64-linux-gnu';

/**
 * The executable of a Chromium: the one that CHROMIUM names, that of this machine, or one in the chroot, which is
 * installed unless it is there (about 20 s, 0.4 GB).
 * @returns {string}
 */
export function ensureChromium() {
  const given = process.env.CHROMIUM;
  if (given) return given;
  const found = findOnThisMachine();
  if (found) return found;
  const root = process.arch === 'x64' ? ensureChroot() : undefined;
  if (root) return installInto(root);
  throw new Error(
    'A Chromium is needed: install it, or set CHROMIUM to the path of one. As root on Debian or Ubuntu (x64), it is installed into .services/chroot.',
  );
}

function findOnThisMachine() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const files = ON_THIS_MACHINE.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find((file) => existsSync(file) && succeeds(file, ['--version']));
}

/** @param {string} root */
function installInto(root) {
  const launcher = inServices('chromium');
  if (existsSync(launcher) && existsSync(path.join(root, PROGRAM))) return launcher;
  report('installing Chromium into .services/chroot (once, about 20 s) …');
  const { proxy } = findDebianMirror();
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...(proxy && { http_proxy: proxy }) };
  const apt = (...args) => runTool('chroot', [root, 'apt-get', '-q', ...args], { env });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...PACKAGES);
  apt('clean');
  runOutside(root);
  writeFileSync(launcher, renderLauncher(root));
  chmodSync(launcher, 0o755);
  return launcher;
}

/**
 * Chromium reads /proc, which the chroot does not have, and mounts are not allowed everywhere. So it runs outside of the
 * chroot, with the dynamic linker and the libraries inside.
 */
function runOutside(root) {
  const linker = path.join(root, LIBRARIES, 'ld-linux-x86-64.so.2');
  runTool('chroot', [root, 'patchelf', '--set-interpreter', linker, PROGRAM]);
}

function renderLauncher(root) {
  const libraries = ['', 'pulseaudio', 'nss'].map((folder) => path.join(root, LIBRARIES, folder)).join(':');
  return `#!/bin/sh
exec env LD_LIBRARY_PATH='${libraries}' FONTCONFIG_SYSROOT='${root}' '${path.join(root, PROGRAM)}' "$@"
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.stdout.write(`${ensureChromium()}\n`);
  } catch (error) {
    report(error.message);
    process.exitCode = 1;
  }
}
