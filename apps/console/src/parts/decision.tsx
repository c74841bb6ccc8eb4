import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Failure } from './state.tsx';

interface DecisionProps<Answer extends string> {
  /** What can be answered, and the name of its button; the first is what is mostly meant. */
  readonly answers: Readonly<Record<Answer, string>>;
  readonly run: (answer: Answer) => Promise<unknown>;
}

/** Buttons of which one decides. None can be pressed while a decision is sent. */
export function Decision<Answer extends string>({ answers, run }: DecisionProps<Answer>) {
  const decide = useMutation({ mutationFn: run });
  return (
    <>
      <div className="actions">
        {(Object.keys(answers) as Answer[]).map((answer, index) => (
          <Button
            key={answer}
            className={index === 0 ? 'react-aria-Button' : 'react-aria-Button quiet'}
            onPress={() => decide.mutate(answer)}
            isPending={decide.isPending}
          >
            {answers[answer]}
          </Button>
        ))}
      </div>
      {decide.isError && <Failure error={decide.error} />}
    </>
  );
}
