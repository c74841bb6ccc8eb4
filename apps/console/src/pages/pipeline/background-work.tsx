import type { Work } from '@annals/sdk';
import { useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import { RunAgain } from './run-again.tsx';

const STATES = ['waiting', 'deferred', 'in_flight', 'failed'] as const;
const REFETCH_MS = 10_000;

const DEFERRED: Readonly<Record<NonNullable<Work['deferred_reason']>, string>> = {
  budget_exceeded: 'the budget of the day is spent',
  provider_unavailable: 'the provider of the model is unavailable',
  energy: 'minds have used what they may now',
  not_due: 'it is not due yet',
  vault_unavailable: 'the folder of the vault cannot be written',
};

/** Work of any kind that waits, runs or has failed, with what it waits for. */
export function BackgroundWork() {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const status = STATES.find((state) => state === search.get('work')) ?? null;
  const list = usePages(
    ['work', status],
    (from) => client.admin.work.list({ ...(status ? { status } : {}), ...from }),
    { refetchInterval: REFETCH_MS },
  );

  async function replay(id: string): Promise<void> {
    await client.admin.work.replay(id);
    await queries.invalidateQueries({ queryKey: ['work'] });
  }

  return (
    <section aria-labelledby="work">
      <h2 id="work">Background work</h2>
      <code className="call">GET /v1/admin/work{status ? `?status=${status}` : ''}</code>
      <Choice
        label="State"
        all="all"
        options={STATES}
        value={status}
        onChange={(state) =>
          setSearch((before) => {
            const after = new URLSearchParams(before);
            if (state) after.set('work', state);
            else after.delete('work');
            return after;
          })
        }
      />
      <Paged list={list} what="work" empty={<p>Nothing waits, runs or has failed.</p>}>
        {(items) => (
          <Table columns={['Kind', 'State', 'Since']}>
            {items.map((work) => (
              <tr key={work.id}>
                <th scope="row">{work.kind}</th>
                <td>
                  {work.status}
                  {work.deferred_reason && `: ${DEFERRED[work.deferred_reason]}`}
                  {work.status === 'failed' && <RunAgain label="Run again" run={() => replay(work.id)} />}
                </td>
                <td>
                  <Moment at={work.failed_at ?? work.created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </section>
  );
}
