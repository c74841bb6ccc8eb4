import type { Proposal } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from 'react-aria-components';
import { usePages } from '../parts/use-pages.ts';
import { queries } from '../queries.ts';
import { type Done, Failed, More, Section } from './parts.tsx';
import { useVisit } from './visit.tsx';

/** What was heard of how the person wants to be treated, and holds once they say so. */
export function Proposals() {
  const { t } = useTranslation();
  const { client, userId } = useVisit().visit;
  const { query, items } = usePages(['proposals'], (from) =>
    client.users.proposals(userId, { state: 'pending', ...from }),
  );
  const [done, setDone] = useState<Done | null>(null);
  return (
    <Section title={t('proposals.title')} done={done}>
      {query.error && <Failed error={query.error} />}
      {!query.isPending && !query.error && !query.hasNextPage && items.length === 0 && <p>{t('proposals.none')}</p>}
      <ul className="conversations">
        {items.map((proposal) => (
          <li key={proposal.id}>
            <OneProposal proposal={proposal} onAnswered={() => setDone({ text: t('proposals.answered') })} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </Section>
  );
}

interface OneProposalProps {
  readonly proposal: Proposal;
  readonly onAnswered: () => void;
}

function OneProposal({ proposal, onAnswered }: OneProposalProps) {
  const { t } = useTranslation();
  const { client } = useVisit().visit;
  const decide = useMutation({
    mutationFn: (decision: 'accept' | 'reject') => client.proposals[decision](proposal.id),
    onSuccess() {
      onAnswered();
      return queries.invalidateQueries({ queryKey: ['proposals'] });
    },
  });
  const field = t(`proposals.fields.${proposal.field}`, { defaultValue: proposal.field });
  return (
    <>
      <p>{t('proposals.set', { field, value: proposal.value ?? '–' })}</p>
      <div className="actions">
        <Button onPress={() => decide.mutate('accept')} isPending={decide.isPending}>
          {t('proposals.accept')}
        </Button>
        <Button
          className="react-aria-Button quiet"
          onPress={() => decide.mutate('reject')}
          isPending={decide.isPending}
        >
          {t('proposals.reject')}
        </Button>
      </div>
      {decide.error && <Failed error={decide.error} />}
    </>
  );
}
