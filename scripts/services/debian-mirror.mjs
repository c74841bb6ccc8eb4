import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runTool } from './processes.mjs';

const DEFAULT_MIRROR = 'http://deb.debian.org/debian';

/**
 * The mirror and proxy from which this machine installs Debian packages: others may be unreachable.
 * @returns {{ mirror: string, proxy: string | undefined }}
 */
export function findDebianMirror() {
  return { mirror: mirrorOf(readSources()) ?? DEFAULT_MIRROR, proxy: aptProxy() };
}

/**
 * The URL of the Debian archive in apt sources, in the one-line and the deb822 format.
 * @param {string} sources
 * @returns {string | undefined}
 */
export function mirrorOf(sources) {
  const lines = sources.split('\n').filter((line) => /^\s*(deb|URIs:)\s/.test(line));
  const urls = lines.flatMap((line) => line.match(/\b(?:https?|file):\/\/\S+/g) ?? []);
  return urls.map((url) => url.replace(/\/+$/, '')).find((url) => url.endsWith('/debian'));
}

function readSources() {
  const folder = '/etc/apt/sources.list.d';
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...parts]
    .filter((file) => /\.(list|sources)$/.test(file) && existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function aptProxy() {
  return /^Acquire::http::Proxy "(.+)";$/im.exec(runTool('apt-config', ['dump']))?.[1];
}
