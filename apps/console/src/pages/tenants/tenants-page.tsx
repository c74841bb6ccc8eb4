import type { Tenant } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import { Confirm } from '../../parts/confirm.tsx';
import { formText } from '../../parts/form-text.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Empty, Failure } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';

interface MadeKey {
  readonly title: string;
  readonly key: string;
}

/** Tenants of the deployment, for its operator. */
export default function TenantsPage() {
  const client = useClient();
  const [made, setMade] = useState<MadeKey | null>(null);
  const list = usePages(['tenants'], (from) => client.operator.tenants.list(from));
  return (
    <>
      <PageHead title="Tenants" call="GET /v1/operator/tenants" />
      {made ? (
        <Secret title={made.title} text={made.key} onDone={() => setMade(null)} />
      ) : (
        <NewTenant onMade={setMade} />
      )}
      <Paged
        list={list}
        what="tenants"
        empty={
          <Empty title="No tenant">
            <p>Create one: it gets a first key with all scopes.</p>
          </Empty>
        }
      >
        {(tenants) => (
          <Table columns={['Tenant', 'Made', { hidden: 'Actions' }]}>
            {tenants.map((tenant) => (
              <tr key={tenant.id}>
                <th scope="row">{tenant.name}</th>
                <td>
                  <Moment at={tenant.created_at} />
                </td>
                <td>
                  <Actions tenant={tenant} onMade={setMade} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Paged>
    </>
  );
}

interface OnMade {
  readonly onMade: (made: MadeKey) => void;
}

function NewTenant({ onMade }: OnMade) {
  const client = useClient();
  const create = useMutation({
    mutationFn: (name: string) => client.operator.tenants.create({ name }),
    onSuccess: async ({ name, key = '' }) => {
      onMade({ title: `The first key of ${name}`, key });
      await queries.invalidateQueries({ queryKey: ['tenants'] });
    },
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    create.mutate(formText(event.currentTarget, 'name'));
  }

  return (
    <Form className="react-aria-Form row" onSubmit={submit}>
      <TextField name="name" isRequired>
        <Label>Name of a new tenant</Label>
        <Input />
      </TextField>
      <Button type="submit" isPending={create.isPending}>
        Create tenant
      </Button>
      {create.isError && <Failure error={create.error} />}
    </Form>
  );
}

function Actions({ tenant, onMade }: { readonly tenant: Tenant } & OnMade) {
  const client = useClient();
  return (
    <div className="actions">
      <Confirm
        action="Create key"
        title={`A new key of ${tenant.name}?`}
        run={async () => {
          const { key = '' } = await client.operator.tenants.createKey(tenant.id, { name: 'made in the console' });
          onMade({ title: `A key of ${tenant.name}`, key });
        }}
      >
        <p>With all scopes, for a tenant that has lost its own.</p>
      </Confirm>
      <Confirm
        action="Delete"
        title={`Delete ${tenant.name} with all its data?`}
        typed={tenant.name}
        run={async () => {
          await client.operator.tenants.delete(tenant.id);
          await queries.invalidateQueries({ queryKey: ['tenants'] });
        }}
      >
        <p>Its users, memories, conversations and keys are deleted. It cannot be undone.</p>
      </Confirm>
    </div>
  );
}
