import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { renderBoardPage } from './board-page.js';
import { readStaticFile } from './static-files.js';

const folder = path.dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));
const template = readFileSync(path.join(folder, 'dist/index.ejs'), 'utf8');

describe('Bull Board’s page', () => {
  it('loads what the template names, from this origin only, with nothing inline but data', async () => {
    const page = renderBoardPage(template, { boardTitle: '</script><script>' });
    const files = Array.from(page.matchAll(/(?:src|href)="(static\/[^"]+)"/g), ([, file]) => file!);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(await readStaticFile(path.join(folder, 'dist'), file)).not.toBeNull();
    expect(page).not.toMatch(/https?:|<style|style=|<%/);
    expect(page.match(/<script(?![^>]* src=)[^>]*>/g)).toEqual(['<script id="__UI_CONFIG__" type="application/json">']);
    expect(page).not.toContain('</script><script>"');
  });

  it('cannot be made from a template that names no scripts', () => {
    expect(() => renderBoardPage('<html></html>', {})).toThrow(/Bull Board/);
  });

  it('loads no file from outside of its folder', async () => {
    const inside = path.join(folder, 'dist/static');
    for (const name of [
      '../index.ejs',
      '../../package.json',
      '/etc/hosts.json',
      'js/../../index.js',
      'images',
      '.js',
      'x.js',
    ])
      expect(await readStaticFile(inside, name)).toBeNull();
    expect((await readStaticFile(inside, 'images/logo.svg'))?.type).toBe('image/svg+xml');
  });
});
