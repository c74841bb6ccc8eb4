import { useSettled } from '../../parts/use-settled.ts';
import { Input, Label, SearchField } from 'react-aria-components';
import { Link, useSearchParams } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.tsx';
import { FirstConversation } from '../try/first-conversation.tsx';

export default function UsersPage() {
  const { client, key } = useSession();
  const [search, setSearch] = useSearchParams();
  const prefix = search.get('prefix') ?? '';
  const wanted = useSettled(prefix);
  const list = usePages(
    ['users', wanted],
    (from) => client.users.list({ ...(wanted ? { prefix: wanted } : {}), ...from }),
    { keepsShown: true },
  );
  return (
    <>
      <PageHead title="Users" call={`GET /v1/users${wanted && `?prefix=${encodeURIComponent(wanted)}`}`} />
      <SearchField
        className="react-aria-SearchField search"
        value={prefix}
        onChange={(text) => setSearch(text === '' ? {} : { prefix: text }, { replace: true })}
      >
        <Label>Search by the beginning of an id</Label>
        <Input />
      </SearchField>
      <Paged
        list={list}
        what="users"
        empty={
          <>
            <Empty title={wanted ? `No user begins with “${wanted}”` : 'Nobody is remembered yet'}>
              <p>
                A user appears with the first conversation that your product sends to{' '}
                <code>POST /v1/conversations</code>.
              </p>
            </Empty>
            {!wanted && key.scopes.includes('ingest') && <FirstConversation />}
          </>
        }
      >
        {(users) => (
          <Table columns={['User', { number: 'Memories' }, 'Last conversation']}>
            {users.map((user) => (
              <tr key={user.user_id}>
                <th scope="row">
                  <Link href={`/users/${encodeURIComponent(user.user_id)}`}>{user.user_id}</Link>
                </th>
                <td className="number">{user.memories}</td>
                <td>{user.last_conversation_at ? <Moment at={user.last_conversation_at} /> : '–'}</td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </>
  );
}
