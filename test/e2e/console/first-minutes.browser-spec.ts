import { type Browser, startBrowser, startStandalone, type StandaloneSystem } from '@annals/testing';
import { type Console, openConsole } from './open-console.js';

describe('the first minutes after `npm start`, in Chromium', () => {
  let system: StandaloneSystem;
  let browser: Browser;
  let view: Console;
  let link: URL;
  beforeAll(async () => {
    [system, browser] = await Promise.all([startStandalone(), startBrowser()]);
    view = await openConsole(browser, system);
    link = new URL(/Open in a browser.*: (\S+)$/m.exec(system.logs)![1]!);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });
  const token = () => link.hash.replace('#/start/', '');

  it('open the console by the link that was printed, without a key', async () => {
    const { page } = view;
    await page.goto(link.href);
    await page.getByRole('heading', { name: 'Nobody is remembered yet' }).waitFor();
    expect(page.url()).not.toContain(token());
    expect(await view.findBarriers()).toEqual([]);
  });

  it('show what somebody says become memories, from the page that the link opens', async () => {
    const { page } = view;
    await page.getByLabel('What they say').fill('I live in Turin.');
    await page.getByRole('button', { name: 'Remember it' }).click();
    await page
      .getByRole('region', { name: 'What is remembered of the conversation' })
      .getByText('lives in Turin')
      .waitFor();
  });

  it('show a sample conversation become memories', async () => {
    const { page } = view;
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('button', { name: 'Load a sample conversation' }).click();
    await page.getByText('done', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'What is remembered of the conversation' })
      .getByText('allergic to peanuts')
      .waitFor();
    await view.takePicture('batch');
    expect(view.complaints).toEqual([]);
  });

  it('refuse the link to whoever finds it afterwards', async () => {
    const other = await openConsole(browser, system);
    await other.page.goto(link.href);
    await other.page.getByText('This link was used already, or has expired.').waitFor();
    await other.page.getByLabel('API key').waitFor();
    await other.page.context().close();
  });

  it('leave the token of the link in what was printed alone, and in no line of the log', () => {
    const lines = system.logs.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.some((line) => line.includes('"event":"console_link_used"'))).toBe(true);
    expect(lines.filter((line) => line.includes(token()))).toEqual([]);
  });
});
