import type { Batch, Memory } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { useClient } from '../../session/session.tsx';
import { describeResult } from '../pipeline/describe-result.ts';
import { isUnfinished, useLiveBatches } from '../pipeline/use-live-batches.ts';

const REFETCH_MS = 3_000;
/** Messages and memories of the conversation: as many as one request returns. */
const MAX_SHOWN = 200;

/** One batch on its way: the messages, how far it is, and the memories that come of it. */
export default function BatchPage({ id }: { readonly id: string }) {
  const client = useClient();
  const batch = useQuery({
    queryKey: ['batch', id],
    queryFn: () => client.batches.get(id),
    // Its stream of events is faster, and may break.
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? REFETCH_MS : false),
  });
  return (
    <>
      <PageHead title="From words to memories" call={`GET /v1/batches/${id}/events`} />
      {batch.isPending && <Loading what="batch" />}
      {!batch.data && batch.isError && <Failure error={batch.error} />}
      {batch.data && <Live batch={batch.data} />}
    </>
  );
}

function Live({ batch: read }: { readonly batch: Batch }) {
  const [batch = read] = useLiveBatches([read]);
  return (
    <>
      <Progress batch={batch} />
      <div className="columns">
        <Messages conversationId={batch.conversation_id} />
        <Memories batch={batch} />
      </div>
    </>
  );
}

const STEPS = [
  { name: 'Accepted', at: 'accepted_at' },
  { name: 'Extraction began', at: 'started_at' },
  { name: 'Extracted', at: 'extracted_at' },
  { name: 'Stored', at: 'finished_at' },
] as const;

function Progress({ batch }: { readonly batch: Batch }) {
  return (
    <section aria-label="Progress">
      <ol className="steps">
        {STEPS.map(({ name, at }) => (
          <li key={at} className={batch[at] === null ? '' : 'reached'}>
            {name} {batch[at] !== null && <Moment at={batch[at]} />}
          </li>
        ))}
      </ol>
      <p role="status">
        <span className={`tag ${batch.status}`}>{batch.status}</span> {describeResult(batch)}
        {isUnfinished(batch) && batch.status !== 'deferred' && <progress aria-label="The batch goes on" />}
      </p>
      {batch.notice !== null && <p className="facts">{batch.notice}</p>}
    </section>
  );
}

function Messages({ conversationId }: { readonly conversationId: string }) {
  const client = useClient();
  const conversation = useQuery({
    queryKey: ['conversation', conversationId],
    queryFn: () => client.conversations.get(conversationId, { limit: MAX_SHOWN }),
  });
  return (
    <section aria-labelledby="said">
      <h2 id="said">What was said</h2>
      {conversation.isPending && <Loading what="messages" />}
      {conversation.isError && <Failure error={conversation.error} />}
      <ol className="messages">
        {conversation.data?.messages.map((message) => (
          <li key={message.id}>
            <strong>{message.actor_id ?? message.role}</strong>
            <p>{message.content}</p>
          </li>
        ))}
      </ol>
      {conversation.data?.next_cursor && <p>Further messages of the conversation are not shown.</p>}
    </section>
  );
}

function Memories({ batch }: { readonly batch: Batch }) {
  const client = useClient();
  const { user_id: userId, thread_id: threadId } = batch;
  const memories = useQuery({
    // Read anew with each step of the batch.
    queryKey: ['memories of batch', batch.id, batch.status],
    queryFn: () => client.memories.list({ user_id: userId, thread_id: threadId, limit: MAX_SHOWN }).page(),
    placeholderData: (before) => before,
  });
  const items: readonly Memory[] = memories.data?.items ?? [];
  return (
    <section aria-labelledby="remembered" aria-live="polite">
      <h2 id="remembered">What is remembered of the conversation</h2>
      {memories.isError && <Failure error={memories.error} />}
      {memories.isSuccess && items.length === 0 && (
        <p>{isUnfinished(batch) ? 'Nothing yet.' : 'Nothing that is worth remembering was found.'}</p>
      )}
      <ul>
        {items.map((memory) => (
          <li key={memory.id}>
            <Link href={`/memories/${memory.id}`}>{memory.content}</Link> <span className="tag">{memory.category}</span>
          </li>
        ))}
      </ul>
      {!isUnfinished(batch) && memories.isSuccess && (
        <p>
          <Link href={`/users/${encodeURIComponent(userId)}`}>Everything about {userId}</Link> ·{' '}
          <Link href={`/ask?user=${encodeURIComponent(userId)}`}>Ask about {userId}</Link>
        </p>
      )}
    </section>
  );
}
