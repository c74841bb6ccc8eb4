import type { Memory } from '@annals/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, Form, Label, TextArea, TextField } from 'react-aria-components';
import { formText } from '../parts/form-text.ts';
import { usePages } from '../parts/use-pages.ts';
import { queries } from '../queries.ts';
import { Origin } from './origin.tsx';
import { type Done, Failed, More, Section, TwoSteps, useDay, Waiting } from './parts.tsx';
import { useVisit } from './visit.tsx';

/** Everything that is remembered, to correct or forget. */
export function Memories() {
  const { t } = useTranslation();
  const { client, userId } = useVisit().visit;
  const { query, items } = usePages(['memories'], (from) => client.memories.list({ user_id: userId, ...from }));
  const own = items.filter(({ type }) => type !== 'insight');
  // Until the page is left, so that they can be brought back.
  const [forgotten, setForgotten] = useState<readonly Memory[]>([]);
  const [done, setDone] = useState<Done | null>(null);
  return (
    <Section title={t('memories.title')} done={done}>
      {query.isPending && <Waiting />}
      {query.error && <Failed error={query.error} />}
      {!query.isPending && !query.error && !query.hasNextPage && own.length === 0 && <p>{t('memories.none')}</p>}
      {own.some(({ content }) => /\bthe user\b/i.test(content)) && <p className="facts">{t('memories.who')}</p>}
      <ul className="conversations">
        {own.map((memory) => (
          <li key={memory.id}>
            <OneMemory
              memory={memory}
              onCorrected={() => setDone({ text: t('memories.saved') })}
              onForgotten={() => setForgotten((before) => [...before, memory])}
            />
          </li>
        ))}
        {forgotten.map((memory) => (
          <li key={memory.id}>
            <Forgotten
              memory={memory}
              onRestored={() => {
                setForgotten((before) => before.filter(({ id }) => id !== memory.id));
                setDone({ text: t('memories.restored') });
              }}
            />
          </li>
        ))}
      </ul>
      <More query={query} />
    </Section>
  );
}

interface OneMemoryProps {
  readonly memory: Memory;
  readonly onCorrected: () => void;
  readonly onForgotten: () => void;
}

function OneMemory({ memory, onCorrected, onForgotten }: OneMemoryProps) {
  const { t } = useTranslation();
  const toDay = useDay();
  const { client } = useVisit().visit;
  const [step, setStep] = useState<'shown' | 'correcting' | 'cancelled'>('shown');
  const correct = useMutation({
    mutationFn: (content: string) => client.memories.update(memory.id, { content }, { ifMatch: memory.revision }),
    onSuccess: () => {
      setStep('shown');
      onCorrected();
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  const forget = useMutation({
    mutationFn: () => client.memories.delete(memory.id),
    onSuccess: () => {
      onForgotten();
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });

  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    correct.mutate(formText(event.currentTarget, 'content'));
  }

  const error = correct.error ?? forget.error;
  return (
    <>
      <p>{memory.content}</p>
      <p className="facts">{t('memories.since', { day: toDay(memory.valid_from) })}</p>
      {step === 'correcting' ? (
        <Form onSubmit={save}>
          <TextField
            name="content"
            defaultValue={memory.content}
            isRequired
            autoFocus
            className="react-aria-TextField said"
          >
            <Label>{t('memories.corrected')}</Label>
            <TextArea rows={3} />
          </TextField>
          <div className="actions">
            <Button type="submit" isPending={correct.isPending}>
              {t('memories.save')}
            </Button>
            <Button className="react-aria-Button quiet" onPress={() => setStep('cancelled')}>
              {t('memories.cancel')}
            </Button>
          </div>
        </Form>
      ) : (
        <div className="actions">
          <Button
            className="react-aria-Button quiet"
            autoFocus={step === 'cancelled'}
            onPress={() => setStep('correcting')}
          >
            {t('memories.correct')}
          </Button>
          <TwoSteps
            first={t('memories.forget')}
            question={t('memories.forgetSure')}
            second={t('memories.yes')}
            isPending={forget.isPending}
            onConfirm={() => forget.mutate()}
          />
        </div>
      )}
      {error && <Failed error={error} />}
      <Origin id={memory.id} />
    </>
  );
}

interface ForgottenProps {
  readonly memory: Memory;
  readonly onRestored: () => void;
}

function Forgotten({ memory, onRestored }: ForgottenProps) {
  const { t } = useTranslation();
  const { client } = useVisit().visit;
  const restore = useMutation({
    mutationFn: () => client.memories.restore(memory.id),
    onSuccess: () => {
      onRestored();
      return queries.invalidateQueries({ queryKey: ['memories'] });
    },
  });
  return (
    <div role="status">
      <p>
        <s>{memory.content}</s> {t('memories.forgotten')}
      </p>
      <Button
        className="react-aria-Button quiet"
        autoFocus
        onPress={() => restore.mutate()}
        isPending={restore.isPending}
      >
        {t('memories.back')}
      </Button>
      {restore.error && <Failed error={restore.error} />}
    </div>
  );
}
