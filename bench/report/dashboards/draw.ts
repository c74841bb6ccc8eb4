import { type Page, startBrowser } from '@annals/testing';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { log } from '../../frame/log.ts';
import { readCapturedDashboards } from './capture.ts';
import { renderPage, sizeOf } from './page.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../docs/images/dashboards');

/** Draws every dashboard from what was recorded in the run with faults, and photographs it in Chromium. */
export async function drawDashboards(): Promise<void> {
  const captured = readCapturedDashboards();
  const chartScript = readFileSync(createRequire(import.meta.url).resolve('echarts/dist/echarts.min.js'), 'utf8');
  const browser = await startBrowser(['--disable-lcd-text']);
  try {
    mkdirSync(FOLDER, { recursive: true });
    for (const dashboard of captured.dashboards) {
      const page = await browser.newPage({ viewport: sizeOf(dashboard), offline: true });
      await page.setContent(renderPage(dashboard, captured, chartScript));
      writeFileSync(path.join(FOLDER, `${dashboard.name}.webp`), await photograph(page));
      await page.close();
      log(`${dashboard.title}: ${dashboard.panels.length} panels`);
    }
  } finally {
    await browser.close();
  }
}

/** As WebP, which Playwright's own call cannot write: a third of the size of PNG. */
async function photograph(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  return Buffer.from(data, 'base64');
}
