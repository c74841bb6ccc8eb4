import { ConfigError } from '@annals/config';
import { DEFAULT_CATEGORY_CONFIG } from '@annals/domain';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessContext } from '../infrastructure/process-context.js';
import { type Categories, openCategories } from './open-categories.js';

const ONE = 'allowlists: {coach: [goals]}';
const TWO = 'allowlists: {coach: [goals], scout: [tone]}';

describe('openCategories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'annals-categories-'));
  const file = join(folder, 'categories.yaml');
  const lines: string[] = [];
  const { logger } = createProcessContext({
    name: 'spec',
    version: '0',
    logLevel: 'info',
    logDestination: { write: (line: string) => void lines.push(line) },
    processMetrics: false,
  });
  let opened: Categories | undefined;
  const open = (text: string) => {
    writeFileSync(file, text);
    opened = openCategories({ categories: { file } }, logger);
    return opened;
  };
  const agents = () => Object.keys(opened!.current.allowlists);

  afterEach(() => {
    opened?.close();
    opened = undefined;
    lines.length = 0;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('returns the shipped categories without a file', () => {
    expect(openCategories({ categories: { file: undefined } }, logger).current).toBe(DEFAULT_CATEGORY_CONFIG);
  });

  it('throws for an invalid or missing file, with line and field', () => {
    expect(() => open('allowlists:\n  coach: [gaols]')).toThrow(
      'ANNALS_CATEGORIES_FILE, line 2, allowlists.coach[0]: The allowlist of coach names gaols',
    );
    const missing = () => openCategories({ categories: { file: join(folder, 'none') } }, logger);
    expect(missing).toThrow(ConfigError);
    expect(missing).toThrow('ANNALS_CATEGORIES_FILE must name a file that this process can read.');
  });

  it('reloads a changed file immediately on SIGHUP', () => {
    open(ONE);
    writeFileSync(file, TWO);
    process.emit('SIGHUP');
    expect(agents()).toEqual(['coach', 'scout']);
    expect(lines.join('')).toContain('categories_reloaded');
  });

  it('reloads a changed file without a signal', async () => {
    open(ONE);
    writeFileSync(file, TWO);
    while (agents().length === 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(agents()).toEqual(['coach', 'scout']);
  });

  it('keeps the current categories and logs it while the file is invalid, and reloads once it is valid', () => {
    open(ONE);
    writeFileSync(file, 'allowlists: [');
    opened!.reload();
    expect(agents()).toEqual(['coach']);
    expect(lines.join('')).toContain('categories_rejected');
    writeFileSync(file, TWO);
    opened!.reload();
    expect(agents()).toEqual(['coach', 'scout']);
  });
});
