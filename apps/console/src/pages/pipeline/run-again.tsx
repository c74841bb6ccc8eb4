import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Failure } from '../../parts/state.tsx';

interface RunAgainProps {
  readonly label: string;
  readonly run: () => Promise<unknown>;
}

/** A button beside a state, for what has failed. */
export function RunAgain({ label, run }: RunAgainProps) {
  const again = useMutation({ mutationFn: run });
  return (
    <>
      {' '}
      <Button className="react-aria-Button quiet" onPress={() => again.mutate()} isPending={again.isPending}>
        {label}
      </Button>
      {again.isError && <Failure error={again.error} />}
    </>
  );
}
