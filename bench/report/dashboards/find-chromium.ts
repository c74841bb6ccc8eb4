import { existsSync } from 'node:fs';

/** Where distributions install it. */
const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium of this machine. */
export function findChromium(): string {
  const path = PATHS.find((each) => existsSync(each));
  if (path) return path;
  throw new Error(`The pictures need a Chromium: install the package chromium (looked for ${PATHS.join(', ')}).`);
}
