import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { decodeSegment } from '../../layout/fragment-location.ts';
import { NoSuchPage } from '../../parts/state.tsx';
import { Conversations } from './conversations.tsx';
import { Erase } from './erase.tsx';
import { Insights } from './insights.tsx';
import { Known } from './known.tsx';
import { Proposals } from './proposals.tsx';
import { Timeline } from './timeline.tsx';

export interface OfUser {
  readonly userId: string;
}

interface Part {
  /** Its segment in the path, behind that of the user. */
  readonly part: string;
  readonly name: string;
  readonly show: ComponentType<OfUser>;
}

const PARTS: readonly Part[] = [
  { part: '', name: 'Known now', show: Known },
  { part: 'timeline', name: 'Timeline', show: Timeline },
  { part: 'conversations', name: 'Conversations', show: Conversations },
  { part: 'proposals', name: 'Proposals', show: Proposals },
  { part: 'insights', name: 'Insights', show: Insights },
  { part: 'erase', name: 'Erase', show: Erase },
];

interface UserPageProps {
  /** The user's id as the path has it, encoded. */
  readonly segment: string;
  readonly part: string;
}

export default function UserPage({ segment, part: open }: UserPageProps) {
  const userId = decodeSegment(segment);
  const shown = PARTS.find(({ part }) => part === open);
  if (userId === null || !shown) return <NoSuchPage />;
  const { show: Show } = shown;
  const id = encodeURIComponent(userId);
  return (
    <>
      <nav className="parts" aria-label={`Parts of ${userId}`}>
        {PARTS.map(({ part, name }) => (
          <Link
            key={part}
            href={part === '' ? `/users/${id}` : `/users/${id}/${part}`}
            aria-current={part === open ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
        <Link href={`/ask?user=${id}`}>Ask about this user</Link>
      </nav>
      <Show userId={userId} />
    </>
  );
}
