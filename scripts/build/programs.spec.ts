import { existsSync } from 'node:fs';
import path from 'node:path';
import { COMPUTED_FILES, IMAGE_PROGRAMS, SHARED_PROGRAMS } from './programs.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('what the images are made of', () => {
  it.each([...Object.values(IMAGE_PROGRAMS), ...SHARED_PROGRAMS])(
    '%s is compiled from a source that exists',
    (file) => {
      const source = file.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
      expect(existsSync(path.join(root, source))).toBe(true);
    },
  );

  const computed = Object.entries(COMPUTED_FILES).flatMap(([folder, dependencies]) =>
    Object.entries(dependencies).flatMap(([name, files]) =>
      files.map((file) => path.join(folder, 'node_modules', name, file)),
    ),
  );
  it.each(computed)('%s, which no trace of imports finds, is there', (file) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });
});
