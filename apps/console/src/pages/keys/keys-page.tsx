import type { ApiKey } from '@annals/sdk';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Empty } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useSession } from '../../session/session.tsx';
import { NewKey } from './new-key.tsx';

/** The API keys of the tenant. */
export default function KeysPage() {
  const { client, key: own } = useSession();
  const [made, setMade] = useState<{ readonly name: string; readonly key: string } | null>(null);
  const list = usePages(['keys'], (from) => client.admin.keys.list(from));
  return (
    <>
      <PageHead title="Keys" call="GET /v1/admin/keys" />
      {made ? (
        <Secret title={`The key ${made.name}`} text={made.key} onDone={() => setMade(null)} />
      ) : (
        <NewKey onMade={(name, key) => setMade({ name, key })} />
      )}
      <Paged list={list} what="keys" empty={<Empty title="No key">{null}</Empty>}>
        {(keys) => (
          <Table label="Keys" columns={['Key', 'Scopes', 'Bound to', 'Made', 'Ends', { hidden: 'Actions' }]}>
            {keys.map((key) => (
              <tr key={key.id} className={key.revoked_at === null ? '' : 'over'}>
                <th scope="row">
                  {key.name} <code>{key.prefix}…</code>
                  {key.id === own.id && ' (yours)'}
                </th>
                <td>{key.scopes.join(', ')}</td>
                <td>{describeBindings(key)}</td>
                <td>
                  <Moment at={key.created_at} />
                </td>
                <td>
                  <End apiKey={key} />
                </td>
                <td>{key.revoked_at === null && <Revoke apiKey={key} isOwn={key.id === own.id} />}</td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </>
  );
}

function End({ apiKey: { revoked_at: revokedAt, expires_at: expiresAt } }: { readonly apiKey: ApiKey }) {
  if (revokedAt !== null)
    return (
      <>
        revoked <Moment at={revokedAt} />
      </>
    );
  return expiresAt === null ? 'never' : <Moment at={expiresAt} />;
}

function Revoke({ apiKey, isOwn }: { readonly apiKey: ApiKey; readonly isOwn: boolean }) {
  const { client } = useSession();
  return (
    <Confirm
      action="Revoke"
      title={`Revoke the key ${apiKey.name}?`}
      run={async () => {
        await client.admin.keys.revoke(apiKey.id);
        await queries.invalidateQueries({ queryKey: ['keys'] });
      }}
    >
      <p>Whatever uses it is refused within seconds. It cannot be made valid again.</p>
      {isOwn && <p>It is the key that you are signed in with.</p>}
    </Confirm>
  );
}

function describeBindings({ agent_id: agent, user_id: user, categories }: ApiKey): string {
  const parts = [
    ...(user === null ? [] : [`user ${user}`]),
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(categories === null ? [] : [categories.join(', ')]),
  ];
  return parts.join('; ') || '–';
}
