import type { ErasureReceipt } from '@annals/sdk';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Confirm } from '../../parts/confirm.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Moment } from '../../parts/time.tsx';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import type { OfUser } from './user-page.tsx';

/** Erasure of everything about a person, with its receipt. */
export function Erase({ userId }: OfUser) {
  const client = useClient();
  const [receipt, setReceipt] = useState<ErasureReceipt | null>(null);
  return (
    <>
      <PageHead tab="Erase" title={`${userId}: erase`} call={`DELETE /v1/users/${encodeURIComponent(userId)}`} />
      {receipt ? (
        <Receipt receipt={receipt} />
      ) : (
        <>
          <p>
            Everything about this person is deleted: messages, memories, insights, summaries, files of the vault. An
            audit trail without content remains. It cannot be undone.
          </p>
          <Confirm
            action="Erase this person"
            title={`Erase ${userId} for good?`}
            typed={userId}
            run={async () => {
              setReceipt(await client.users.erase(userId));
              queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'categories' });
            }}
          >
            <p>All data of this person is deleted at once. You get a signed receipt.</p>
          </Confirm>
        </>
      )}
    </>
  );
}

function Receipt({ receipt }: { readonly receipt: ErasureReceipt }) {
  return (
    <section aria-labelledby="receipt" role="status">
      <h2 id="receipt">The person is erased</h2>
      <dl className="fields">
        <dt>Receipt</dt>
        <dd>
          <code>{receipt.id}</code>
        </dd>
        <dt>When</dt>
        <dd>
          <Moment at={receipt.erased_at} />
        </dd>
        {Object.entries(receipt.counts).map(([table, rows]) => (
          <Deleted key={table} table={table} rows={rows} />
        ))}
      </dl>
      <p>
        Keep the receipt, or its number for <code>GET /v1/receipts/{'{id}'}</code>:{' '}
        <code>npm run verify -- --receipt &lt;file&gt;</code> proves that it is genuine.
      </p>
      <Button
        onPress={() =>
          saveFile(`receipt-${receipt.id}.json`, 'application/json', [`${JSON.stringify(receipt, null, 2)}\n`])
        }
      >
        Download the receipt
      </Button>
    </section>
  );
}

function Deleted({ table, rows }: { readonly table: string; readonly rows: number }) {
  return (
    <>
      <dt>{table}</dt>
      <dd>{rows}</dd>
    </>
  );
}
