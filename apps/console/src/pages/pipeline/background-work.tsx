import type { Work } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Failure } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';

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
          <table>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">State</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {items.map((work) => (
                <tr key={work.id}>
                  <th scope="row">{work.kind}</th>
                  <td>
                    {work.status}
                    {work.deferred_reason && `: ${DEFERRED[work.deferred_reason]}`}
                    {work.status === 'failed' && <ReplayWork id={work.id} />}
                  </td>
                  <td>
                    <Moment at={work.failed_at ?? work.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </section>
  );
}

function ReplayWork({ id }: { readonly id: string }) {
  const client = useClient();
  const replay = useMutation({
    mutationFn: () => client.admin.work.replay(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['work'] }),
  });
  return (
    <>
      {' '}
      <Button className="react-aria-Button quiet" onPress={() => replay.mutate()} isPending={replay.isPending}>
        Run again
      </Button>
      {replay.isError && <Failure error={replay.error} />}
    </>
  );
}
