import type { CreateKey } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button, Checkbox, CheckboxGroup, Form, Input, Label, TextField } from 'react-aria-components';
import { formText } from '../../parts/form-text.ts';
import { Failure } from '../../parts/state.tsx';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';

const SCOPES = ['ingest', 'query', 'admin'] as const;

interface NewKeyProps {
  readonly onMade: (name: string, key: string) => void;
}

export function NewKey({ onMade }: NewKeyProps) {
  const client = useClient();
  const create = useMutation({
    mutationFn: (body: CreateKey) => client.admin.keys.create(body),
    onSuccess: async ({ name, key = '' }) => {
      onMade(name, key);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => formText(form, name);
    const given = new FormData(form).getAll('scopes');
    const scopes = SCOPES.filter((scope) => given.includes(scope));
    create.mutate({
      name: text('name'),
      scopes,
      ...(text('user') && { user_id: text('user') }),
      ...(text('agent') && { agent_id: text('agent') }),
      ...(text('expires') && { expires_at: `${text('expires')}T23:59:59.999Z` }),
    });
  }

  return (
    <Form className="react-aria-Form row" onSubmit={submit}>
      <TextField name="name" isRequired>
        <Label>Name</Label>
        <Input />
      </TextField>
      <CheckboxGroup name="scopes" defaultValue={['ingest', 'query']} isRequired>
        <Label>Scopes</Label>
        <div className="actions">
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope}>
              <span className="box" aria-hidden="true" /> {scope}
            </Checkbox>
          ))}
        </div>
      </CheckboxGroup>
      <TextField name="user">
        <Label>Bound to user</Label>
        <Input />
      </TextField>
      <TextField name="agent">
        <Label>Bound to agent</Label>
        <Input />
      </TextField>
      <TextField name="expires" type="date">
        <Label>Last day (UTC)</Label>
        <Input />
      </TextField>
      <Button type="submit" isPending={create.isPending}>
        Create key
      </Button>
      {create.isError && <Failure error={create.error} />}
    </Form>
  );
}
