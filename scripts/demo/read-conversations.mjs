/**
 * Turns a conversation file into posts for `POST /v1/conversations`. Supports two formats:
 * - posts as the API accepts them: one `{user_id, messages, …}` or a list of them;
 * - dated sessions of people talking to each other: `{conversations: [{id, sessions: [{date, messages: [{id, speaker,
 *   text}]}], questions?: [{question}]}]}`. Memories are extracted from all speakers, so each has the role `user`. The
 *   user is who speaks first.
 */

/** The API's limit of one request. */
const MAX_MESSAGES = 500;
const SECOND = 1_000;

/**
 * @returns {{userId: string, name: string | null, posts: object[], question: string | null}[]} one entry for each user;
 *   `name`: under which the user speaks, unless it is their id
 */
export function readConversations(document) {
  if (Array.isArray(document?.conversations)) return document.conversations.map(readSessions);
  const posts = Array.isArray(document) ? document : [document];
  const users = new Map();
  for (const [index, post] of posts.entries()) {
    if (typeof post?.user_id !== 'string' || !Array.isArray(post.messages)) {
      throw new Error(
        `Entry ${index} of the file needs "user_id" and "messages", as POST /v1/conversations accepts them.`,
      );
    }
    const { question = null, ...body } = post;
    const entry = users.get(post.user_id) ?? { userId: post.user_id, name: null, posts: [], question };
    entry.posts.push(...splitPost(body));
    users.set(post.user_id, entry);
  }
  return [...users.values()];
}

function readSessions(conversation) {
  const messages = conversation.sessions.flatMap((session) =>
    session.messages.map((message, index) => ({
      id: message.id,
      role: 'user',
      actor_id: message.speaker,
      content: message.text,
      // A session has one date; its messages follow each other within the minute.
      created_at: new Date(Date.parse(session.date) + index * SECOND).toISOString(),
    })),
  );
  return {
    userId: conversation.id,
    name: conversation.sessions[0]?.messages[0]?.speaker ?? null,
    posts: splitPost({ user_id: conversation.id, thread_id: conversation.id, messages }),
    question: conversation.questions?.[0]?.question ?? null,
  };
}

/** Splits a post into requests of at most 500 messages; only the last one has `flush` and `end`. */
function splitPost({ end = false, ...post }) {
  const parts = [];
  for (let start = 0; start < post.messages.length; start += MAX_MESSAGES) {
    parts.push({ ...post, messages: post.messages.slice(start, start + MAX_MESSAGES) });
  }
  return parts.map((part, index) =>
    index === parts.length - 1 ? { ...part, flush: true, ...(end ? { end } : {}) } : part,
  );
}
