import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Switch } from 'react-aria-components';
import { usePages } from '../parts/use-pages.ts';
import { queries } from '../queries.ts';
import { Origin } from './origin.tsx';
import { Failed, More, Section } from './parts.tsx';
import { useVisit } from './visit.tsx';

/** What was inferred about the person, and the switch that ends it. */
export function Insights() {
  const { t } = useTranslation();
  const { client, userId } = useVisit().visit;
  const list = usePages(['insights'], (from) => client.users.insights(userId, from));
  const change = useMutation({
    mutationFn: (isOn: boolean) => client.users.putContext(userId, { insights: isOn ? 'on' : 'off' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['insights'] }),
  });
  // Unlike the person's context, the list says what holds for who has decided nothing.
  const isOn = change.isPending ? change.variables : list.first?.insights === 'on';
  const current = list.items.filter(({ state }) => state === 'current');
  const error = list.query.error ?? change.error;
  return (
    <Section title={t('insights.title')}>
      <p>{t('insights.explain')}</p>
      <Switch isSelected={isOn} isDisabled={!list.first || change.isPending} onChange={(next) => change.mutate(next)}>
        <span className="track" aria-hidden="true" /> {t('insights.switch')}
      </Switch>
      {error && <Failed error={error} />}
      {!list.query.isPending && !error && !list.query.hasNextPage && current.length === 0 && (
        <p>{t('insights.none')}</p>
      )}
      <ul className="conversations">
        {current.map((insight) => (
          <li key={insight.id}>
            <p>{insight.content}</p>
            <Origin id={insight.id} />
          </li>
        ))}
      </ul>
      <More query={list.query} />
    </Section>
  );
}
