import type { ConversationHead } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty, Failure, Loading } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';
import { describeResult } from '../pipeline/describe-result.ts';
import type { OfUser } from './user-page.tsx';

export function Conversations({ userId }: OfUser) {
  const client = useClient();
  const list = usePages(['conversations', userId], (from) => client.conversations.list({ user_id: userId, ...from }));
  return (
    <>
      <PageHead
        tab="Conversations"
        title={`${userId}: conversations`}
        call={`GET /v1/conversations?user_id=${encodeURIComponent(userId)}`}
      />
      <Paged
        list={list}
        what="conversations"
        empty={
          <Empty title="No conversation">
            <p>
              Send one to <code>POST /v1/conversations</code> with this <code>user_id</code>.
            </p>
          </Empty>
        }
      >
        {(conversations) => (
          <ul className="conversations">
            {conversations.map((conversation) => (
              <li key={conversation.id}>
                <OneConversation conversation={conversation} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}

function OneConversation({ conversation }: { readonly conversation: ConversationHead }) {
  return (
    <Disclosure>
      {({ isExpanded }) => (
        <>
          <Heading level={2}>
            <Button slot="trigger">{conversation.thread_id}</Button>
          </Heading>
          <p className="facts">
            {conversation.message_count === 1 ? '1 message' : `${conversation.message_count} messages`} ·{' '}
            {conversation.state} · <Moment at={conversation.updated_at} />
          </p>
          <DisclosurePanel>{isExpanded && <Inside conversation={conversation} />}</DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}

/** As many as one request returns. */
const MAX_SHOWN = 200;

/** Messages, batches and summary of a conversation, which are read when it is opened. */
function Inside({ conversation }: { readonly conversation: ConversationHead }) {
  const client = useClient();
  const { id, thread_id: threadId, user_id: userId } = conversation;
  const summary = useQuery({
    queryKey: ['summary', id],
    queryFn: () => client.threads.summary(threadId, { user_id: userId }),
  });
  const messages = useQuery({
    queryKey: ['conversation', id],
    queryFn: () => client.conversations.get(id, { limit: MAX_SHOWN }),
  });
  const batches = useQuery({
    queryKey: ['batches', id],
    queryFn: () => client.batches.list({ conversation_id: id, limit: MAX_SHOWN }).page(),
  });
  const error = messages.error ?? batches.error;
  if (!messages.data || !batches.data) return error ? <Failure error={error} /> : <Loading what="conversation" />;
  return (
    <>
      {summary.data?.summaries.map(({ id: key, text }) => (
        <blockquote key={key} aria-label="Summary">
          {text}
        </blockquote>
      ))}
      <ol className="messages">
        {messages.data.messages.map((message) => (
          <li key={message.id}>
            <strong>{message.actor_id ?? message.role}</strong> <Moment at={message.created_at} />
            <p>{message.content}</p>
          </li>
        ))}
      </ol>
      {messages.data.next_cursor && <p>The first {MAX_SHOWN} messages are shown.</p>}
      <ul className="batches">
        {batches.data.items.map((batch) => (
          <li key={batch.id}>{describeResult(batch)}</li>
        ))}
      </ul>
    </>
  );
}
