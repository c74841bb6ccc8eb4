import { Link } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';
import type { OfUser } from './user-page.tsx';

export function Insights({ userId }: OfUser) {
  const client = useClient();
  const list = usePages(['insights', userId], (from) => client.users.insights(userId, from));
  return (
    <>
      <PageHead
        tab="Insights"
        title={`${userId}: insights`}
        call={`GET /v1/users/${encodeURIComponent(userId)}/insights`}
      />
      <Paged
        list={list}
        what="insights"
        empty={
          <Empty title="No insight yet">
            <p>Insights are inferred in the background once enough conversations have ended.</p>
          </Empty>
        }
      >
        {(insights) => (
          <ul className="conversations">
            {insights.map((insight) => (
              <li key={insight.id}>
                <Link href={`/memories/${insight.id}`}>{insight.content}</Link>
                <p className="facts">
                  {insight.state} · {Math.round(insight.confidence * 100)} % · <Moment at={insight.recorded_at} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}
