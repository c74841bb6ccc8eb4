import { type AnnalsSystem, ApiClient, type Browser, startBrowser, waitUntil } from '@annals/testing';
import { RECURRING_DEADLINES } from '../recurring-deadlines.fixture.js';
import { type Console, openConsole, PROFILES, tell } from './open-console.js';

const [SHORT, LONG] = ['The user works at Siemens.', 'The user works at Siemens as a team lead.'];

describe.each(PROFILES)('what is thought about memories in the background, in the console of %s', (_profile, start) => {
  let system: AnnalsSystem;
  let browser: Browser;
  let view: Console;
  let client: ApiClient;

  beforeAll(async () => {
    [system, browser] = await Promise.all([start({ env: { ANNALS_MINDS: 'on' }, minds: 1 }), startBrowser()]);
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    view = await openConsole(browser, system);
    await view.open('/users');
    await view.signIn(system.tenantKey);
  });
  afterAll(async () => {
    await browser?.close();
    await system?.close();
  });

  it('shows a run of consolidation with its changes, and undoes it', async () => {
    const { page } = view;
    for (const content of [SHORT, LONG])
      await client.must('addMemory', { body: { user_id: 'ben', category: 'profile', content, importance: 2 } });
    const { run_id: id } = await client.must('startConsolidation', { body: { user_id: 'ben' } });
    const readState = async () => (await client.must('getConsolidationRun', { params: { id } })).state;
    await waitUntil(async () => (await readState()) === 'done', { describe: 'the run has ended' });
    await view.open('/quality');
    await page.getByRole('button', { name: 'ben' }).click();
    await page.getByText('merge, written: words').waitFor();
    await page.getByRole('button', { name: 'Undo the run' }).scrollIntoViewIfNeeded();
    await view.takePicture('consolidation');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Undo the run' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the run' }).click();
    await page.getByText('merge, undone: words').waitFor();
    expect(await readState()).toBe('undone');
    const { items } = await client.must('listMemories', { query: { user_id: 'ben' } });
    expect(items.map(({ content }) => content).toSorted()).toEqual([SHORT, LONG].toSorted());
  });

  it('shows insights with their ground, and the summary of a conversation', async () => {
    const { page } = view;
    await tell(system, 'ana', 'work', RECURRING_DEADLINES);
    const { items } = await client.must('listConversations', { query: { user_id: 'ana' } });
    for (const { id } of items) await client.must('endConversation', { params: { id } });
    const listInsights = async () => (await client.must('listInsights', { params: { user_id: 'ana' } })).items;
    await waitUntil(async () => (await listInsights()).length > 0, { describe: 'something is inferred' });
    await waitUntil(
      async () =>
        (await client.call('getThreadSummary', { params: { thread_id: 'work' }, query: { user_id: 'ana' } })).ok,
      { describe: 'the conversation is summarised' },
    );
    await view.open('/users/ana/insights');
    await page.getByRole('link', { name: /deadline/ }).click();
    await page.getByText('the third this month').waitFor();
    await view.open('/users/ana/conversations');
    await page.getByRole('button', { name: 'work' }).click();
    await page.getByLabel('Summary').getByText('deadline').first().waitFor();
    expect(await view.findBarriers()).toEqual([]);
  });

  it('shows a person the conclusions about them, which the person ends', async () => {
    const { page, complaints } = view;
    const { url } = await client.must('createPersonLink', { params: { user_id: 'ana' }, body: {} });
    await page.goto(url!);
    const section = page.getByRole('region', { name: 'Conclusions about you' });
    const conclusion = section.getByRole('listitem').filter({ hasText: 'deadline' });
    await conclusion.getByRole('button', { name: 'Where is this from?' }).click();
    await conclusion.getByText('the third this month').waitFor();
    // Nobody has decided anything yet, and they are on in this installation.
    await section.getByRole('switch', { checked: true }).press('Space');
    await section.getByRole('switch', { checked: false }).waitFor();
    await waitUntil(
      async () => (await client.must('getUserContext', { params: { user_id: 'ana' } })).insights === 'off',
      { describe: 'insights are off' },
    );
    expect(complaints).toEqual([]);
  });
});
