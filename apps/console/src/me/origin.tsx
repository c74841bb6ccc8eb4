import type { Ground } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button, Disclosure, DisclosurePanel } from 'react-aria-components';
import { Failed, useDay, Waiting } from './parts.tsx';
import { useVisit } from './visit.tsx';

/** Where a memory comes from: the words that it rests on, and who said them when. */
export function Origin({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  return (
    <Disclosure>
      {({ isExpanded }) => (
        <>
          <Button slot="trigger" className="react-aria-Button plain">
            {t('memories.why')}
          </Button>
          <DisclosurePanel>{isExpanded && <Words id={id} />}</DisclosurePanel>
        </>
      )}
    </Disclosure>
  );
}

function Words({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const toDay = useDay();
  const { client } = useVisit().visit;
  const reasons = useQuery({ queryKey: ['why', id], queryFn: () => client.memories.why(id) });
  if (reasons.isPending) return <Waiting />;
  if (reasons.isError) return <Failed error={reasons.error} />;
  const { ground } = reasons.data;
  if (ground.length === 0) return <p>{t('memories.manual')}</p>;

  const describe = (one: Ground): string => {
    if (one.kind !== 'message' || one.said_at === null) return t('memories.derived');
    const who = one.role === 'user' ? t('memories.you') : t('memories.assistant');
    return t('memories.said', { who, day: toDay(one.said_at) });
  };
  return (
    <ul className="ground">
      {ground.map((one) => (
        <li key={one.kind === 'message' ? one.message_id : one.memory_id}>
          <p className="facts">{describe(one)}</p>
          <blockquote>{one.content ?? t('memories.gone')}</blockquote>
        </li>
      ))}
    </ul>
  );
}
