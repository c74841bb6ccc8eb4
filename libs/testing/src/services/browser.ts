import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, BrowserContext, Page } from 'playwright-core';

const chromiumScript = path.resolve(import.meta.dirname, '../../../../scripts/services/chromium.mjs');

/** It looks at pages of this machine only, and asks nobody else for anything. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Shared memory of a container can be small.
  '--disable-dev-shm-usage',
];

/** Starts a Chromium without a screen, with `flags` of its own; `close` ends it. It ends with this process, too. */
export async function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  const { stdout } = await promisify(execFile)(process.execPath, [chromiumScript]);
  return chromium.launch({ executablePath: stdout.trim(), args: [...FLAGS, ...flags] });
}
