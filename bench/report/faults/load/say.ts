import type { Rng } from '@annals/domain';
import type { Post } from '@annals/testing';
import { type Book, type Fate, type Mark, renderMessage } from './book.ts';
import type { Caller } from './caller.ts';
import { pick } from './pick.ts';
import type { Tenant } from './population.ts';

const MOST_MESSAGES = 2;
/** One of so many conversations ends with a post, for the minds that work on whole ones. */
const POSTS_OF_CONVERSATION = 8;
/** Posts that may be sent again, of the newest ones. */
const REMEMBERED_POSTS = 200;

interface SentPost {
  readonly tenant: Tenant;
  readonly body: Post;
}

/** Posts of users: new statements, the same posts again, and the same statements under other ids. */
export class Speakers {
  private readonly sent: SentPost[] = [];
  private posts = 0;
  private readonly book: Book;
  private readonly caller: Caller;
  private readonly rng: Rng;

  constructor(book: Book, caller: Caller, rng: Rng) {
    this.book = book;
    this.caller = caller;
    this.rng = rng;
  }

  /** New statements of one of a tenant's users; those of one post have the same fate. */
  async say(tenant: Tenant, userId: string, fate: Fate): Promise<Mark[]> {
    const count = 1 + Math.floor(this.rng.nextFloat() * MOST_MESSAGES);
    const saidAt = Date.now();
    const marks = Array.from({ length: count }, () => this.book.say({ tenant: tenant.index, userId, saidAt, fate }));
    const number = (this.posts += 1);
    const body = makePost(marks, {
      userId,
      threadId: `${userId}-${Math.floor(number / (POSTS_OF_CONVERSATION * tenant.users.length))}`,
      end: number % POSTS_OF_CONVERSATION === 0,
    });
    const { accepted, duplicates } = await this.send(tenant, body, fate);
    if (accepted + duplicates !== count)
      this.book.violate('doubled', `${count} messages were counted as ${accepted} new and ${duplicates} known ones`);
    for (const mark of marks) this.book.confirm(mark);
    this.book.count('messages', count);
    if (fate !== 'erased') this.remember({ tenant, body });
    return marks;
  }

  /** Sends an earlier post again, as a client does that missed the answer. */
  async repeat(): Promise<void> {
    const post = pick(this.rng, this.sent);
    if (!post) return;
    const { accepted } = await this.send(post.tenant, post.body, 'kept');
    this.book.count('posts sent again');
    if (accepted > 0)
      this.book.violate('doubled', `a post that was sent again was accepted as ${accepted} new messages`);
  }

  /** Says what was said before, in a message of its own. */
  async restate(tenant: Tenant): Promise<void> {
    const mark = pick(this.rng, this.book.kept[tenant.index] ?? []);
    if (!mark) return;
    const body = makePost([mark], {
      userId: mark.userId,
      threadId: `${mark.userId}-again-${(this.posts += 1)}`,
      end: false,
    });
    await this.send(tenant, body, 'kept');
    this.book.count('messages');
    this.book.count('statements said again');
  }

  private async send(tenant: Tenant, body: Post, fate: Fate) {
    const answer = await this.caller.must('post', tenant.client, 'postConversation', { body });
    if (fate !== 'erased') this.book.batchIds.push(...answer.batch_ids);
    return answer;
  }

  private remember(post: SentPost): void {
    this.sent.push(post);
    if (this.sent.length > REMEMBERED_POSTS) this.sent.shift();
  }
}

function makePost(
  marks: readonly Mark[],
  { userId, threadId, end }: { readonly userId: string; readonly threadId: string; readonly end: boolean },
): Post {
  const messages = marks.map((mark) => ({
    id: `${threadId}-${mark.number}`,
    role: 'user' as const,
    content: renderMessage(mark),
    created_at: new Date(mark.saidAt).toISOString(),
  }));
  return { user_id: userId, thread_id: threadId, flush: true, end, messages };
}
