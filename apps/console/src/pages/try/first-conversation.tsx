import type { PostConversation } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Button, Form, Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { useLocation } from 'wouter';
import { formText } from '../../parts/form-text.ts';
import { Failure } from '../../parts/state.tsx';
import { queries } from '../../queries.ts';
import { useSession } from '../../session/session.tsx';
import { now } from '../../system.ts';
import { SAMPLE } from './sample-conversation.ts';

/** A conversation to begin with, a sample or one's own, which the next page shows becoming memories. */
export function FirstConversation() {
  const { client, key } = useSession();
  const [, navigate] = useLocation();
  const send = useMutation({
    mutationFn: (body: PostConversation) => client.conversations.create(body),
    // Not awaited: once there is a user, the list of users has this no more, and nobody would see the next page.
    onSuccess: () => void queries.invalidateQueries(),
  });

  function remember(body: PostConversation): void {
    // Not once the page was left meanwhile.
    send.mutate(body, {
      onSuccess: ({ batch_ids: [batchId] }) =>
        navigate(batchId ? `/batches/${batchId}` : `/users/${encodeURIComponent(body.user_id)}`),
    });
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    remember({
      user_id: formText(form, 'user'),
      // Each a conversation of its own, of which the next page shows all.
      thread_id: `console-${now().toString(36)}`,
      flush: true,
      messages: [{ role: 'user', content: formText(form, 'said') }],
    });
  }

  return (
    <>
      <p>
        <Button
          onPress={() => remember({ ...SAMPLE, user_id: key.user_id ?? SAMPLE.user_id })}
          isPending={send.isPending}
        >
          Load a sample conversation
        </Button>
      </p>
      <h2>Or say something yourself</h2>
      <Form onSubmit={submit}>
        <TextField name="user" isRequired isReadOnly={key.user_id !== null} defaultValue={key.user_id ?? 'me'}>
          <Label>User</Label>
          <Input />
        </TextField>
        <TextField name="said" isRequired className="react-aria-TextField said">
          <Label>What they say</Label>
          <TextArea rows={5} />
          <Text slot="description">
            For example: I live in Kyoto. I am allergic to shellfish. My brother Ken plays the cello.
          </Text>
        </TextField>
        <Button type="submit" isPending={send.isPending}>
          Remember it
        </Button>
      </Form>
      {send.isError && <Failure error={send.error} />}
    </>
  );
}
