import type { Proposal } from '@annals/sdk';
import { Decision } from '../../parts/decision.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { queries } from '../../queries.ts';
import { useClient } from '../../session/session.tsx';
import type { OfUser } from './user-page.tsx';

export function Proposals({ userId }: OfUser) {
  const client = useClient();
  const list = usePages(['proposals', userId], (from) => client.users.proposals(userId, from));
  return (
    <>
      <PageHead
        tab="Proposals"
        title={`${userId}: proposals`}
        call={`GET /v1/users/${encodeURIComponent(userId)}/proposals`}
      />
      <Paged
        list={list}
        what="proposals"
        empty={
          <Empty title="Nothing is proposed">
            <p>
              When a person says how they want to be treated, such as in a tone that they prefer, a change of their
              context is proposed here. It holds once it is accepted.
            </p>
          </Empty>
        }
      >
        {(proposals) => (
          <ul className="conversations">
            {proposals.map((proposal) => (
              <li key={proposal.id}>
                <OneProposal proposal={proposal} />
              </li>
            ))}
          </ul>
        )}
      </Paged>
    </>
  );
}

function OneProposal({ proposal }: { readonly proposal: Proposal }) {
  const client = useClient();

  async function decide(decision: 'accept' | 'reject'): Promise<void> {
    await client.proposals[decision](proposal.id);
    await queries.invalidateQueries({ queryKey: ['proposals', proposal.user_id] });
  }

  return (
    <>
      <p>
        Set <strong>{proposal.field}</strong> to {proposal.value === null ? 'nothing' : <q>{proposal.value}</q>}
      </p>
      <p className="facts">
        {proposal.state} · <Moment at={proposal.created_at} /> · rests on{' '}
        {proposal.message_ids.length === 1 ? '1 message' : `${proposal.message_ids.length} messages`}
      </p>
      {proposal.state === 'pending' && <Decision answers={{ accept: 'Accept', reject: 'Reject' }} run={decide} />}
    </>
  );
}
