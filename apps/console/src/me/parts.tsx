import { ProblemError } from '@annals/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from 'react-aria-components';
import type { PagedList } from '../parts/use-pages.ts';

/** Texts of problems that a person can do something about, by code. */
const REASONS: Readonly<Record<string, 'changed' | 'wording' | 'later'>> = {
  revision_conflict: 'changed',
  memory_not_current: 'changed',
  proposal_not_pending: 'changed',
  validation_failed: 'wording',
  writing_refused: 'wording',
  rate_limited: 'later',
  unavailable: 'later',
};

export function Failed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  const code = error instanceof ProblemError ? error.code : '';
  return (
    <p className="failure" role="alert">
      {t(`errors.${REASONS[code] ?? 'other'}`)}
    </p>
  );
}

export function Waiting() {
  const { t } = useTranslation();
  return <p role="status">{t('loading')}</p>;
}

/** A day in the language of the page, in UTC as the API has it. */
export function useDay(): (at: string) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeZone: 'UTC' });
  return (at) => format.format(new Date(at));
}

interface TwoStepsProps {
  readonly first: string;
  readonly question: string;
  readonly second: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}

/** A button that asks before it does what cannot be undone easily. */
export function TwoSteps({ first, question, second, isPending, onConfirm }: TwoStepsProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<'first' | 'asking' | 'cancelled'>('first');
  if (step !== 'asking')
    return (
      <Button className="react-aria-Button quiet" autoFocus={step === 'cancelled'} onPress={() => setStep('asking')}>
        {first}
      </Button>
    );
  return (
    <span className="asking" role="group" aria-label={question}>
      <span>{question}</span>
      <Button className="react-aria-Button danger" autoFocus isPending={isPending} onPress={onConfirm}>
        {second}
      </Button>
      <Button className="react-aria-Button quiet" onPress={() => setStep('cancelled')}>
        {t('memories.cancel')}
      </Button>
    </span>
  );
}

/** What was done in a section, said to screen readers. Each is an object of its own, so that it can be said twice. */
export interface Done {
  readonly text: string;
}

interface SectionProps {
  readonly title: string;
  /** Moves the focus to the heading, since the control that had it is gone. */
  readonly done?: Done | null;
  readonly children: ReactNode;
}

export function Section({ title, done = null, children }: SectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (done) heading.current?.focus();
  }, [done]);
  return (
    <section aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p role="status" className="visually-hidden">
        {done?.text}
      </p>
      {children}
    </section>
  );
}

/** What a list has beyond what was read. */
export function More({ query }: Pick<PagedList<unknown>, 'query'>) {
  const { t } = useTranslation();
  if (!query.hasNextPage) return null;
  return (
    <Button
      className="react-aria-Button quiet"
      onPress={() => void query.fetchNextPage()}
      isPending={query.isFetchingNextPage}
    >
      {t('memories.more')}
    </Button>
  );
}
