import { createChecklist } from './checklist.mjs';

describe('a checklist', () => {
  it('prints a line for each check and goes on after one that failed', async () => {
    const lines: string[] = [];
    const { check, skip, summary } = createChecklist((line: string) => lines.push(line.replace(/\d+\.\d s/, 'n s')));
    await check('the image is small', () => '240 MB');
    await check('the image is signed', () => Promise.reject(new Error('It is not.\nSign it.')));
    skip('Grafana', 'no image');
    expect(lines).toEqual([
      'ok    the image is small: 240 MB (n s)',
      'FAIL  the image is signed (n s)\n      It is not.\n      Sign it.',
      'skip  Grafana: no image',
    ]);
    expect(summary()).toEqual({ passed: 1, failed: 1 });
  });

  it('ends the run when what the rest needs has failed', async () => {
    const { must, summary } = createChecklist(() => {});
    const failing = must('the images are built', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('The run ends here: the images are built.');
    expect(summary()).toEqual({ passed: 0, failed: 1 });
  });
});
