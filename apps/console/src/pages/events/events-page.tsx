import { Link, useSearchParams } from 'wouter';
import { Choice } from '../../parts/choice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';

const STATES = ['ok', 'error', 'skipped'] as const;

/** What was done or refused, without content. */
export default function EventsPage() {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const status = STATES.find((state) => state === search.get('status')) ?? null;
  const user = search.get('user');
  const filters = { ...(status ? { status } : {}), ...(user ? { user_id: user } : {}) };
  const list = usePages(['events', filters], (from) => client.events.list({ ...filters, ...from }));
  return (
    <>
      <PageHead
        tab="Events"
        title={user ? `Events of ${user}` : 'Events'}
        call={['GET /v1/events', new URLSearchParams(filters).toString()].filter(Boolean).join('?')}
      >
        <Choice
          label="Status"
          all="all"
          options={STATES}
          value={status}
          onChange={(state) => setSearch({ ...(user ? { user } : {}), ...(state ? { status: state } : {}) })}
        />
      </PageHead>
      <Paged
        list={list}
        what="events"
        empty={
          <Empty title="No event">
            <p>Every write, search and refusal leaves one, without content. They are kept for some days.</p>
          </Empty>
        }
      >
        {(events) => (
          <Table label="Events" columns={['When', 'User', 'What', 'Memory']}>
            {events.map((event) => (
              <tr key={event.id}>
                <td>
                  <Moment at={event.ts} />
                </td>
                <th scope="row">
                  {event.user_id === null ? (
                    '–'
                  ) : (
                    <Link href={`/events?${new URLSearchParams({ user: event.user_id })}`}>{event.user_id}</Link>
                  )}
                </th>
                <td>
                  {event.node}: {event.op}
                  {event.status !== 'ok' && ` (${event.status})`}
                </td>
                <td>
                  {event.memory_id === null ? (
                    (event.category ?? '–')
                  ) : (
                    <Link href={`/memories/${event.memory_id}`}>{event.category ?? 'a memory'}</Link>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </>
  );
}
