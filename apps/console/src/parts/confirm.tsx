import { type ReactNode, useState } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Input, Label, Modal, TextField } from 'react-aria-components';
import { Failure } from './state.tsx';

interface ConfirmProps {
  /** Of the button that asks, and of the one that confirms. */
  readonly action: string;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** Has to be typed, for what cannot be undone. */
  readonly typed?: string;
  /** Rejects with the error that is shown. */
  readonly run: () => Promise<unknown>;
}

/** A button that says what will happen, and asks before it does. */
export function Confirm({ action, title, children, typed, run }: ConfirmProps) {
  const [given, setGiven] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function confirm(close: () => void): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await run();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  function reset(): void {
    setGiven('');
    setError(null);
  }

  return (
    <DialogTrigger onOpenChange={reset}>
      <Button className="react-aria-Button quiet">{action}</Button>
      <Modal isDismissable>
        <Dialog role="alertdialog">
          {({ close }) => (
            <>
              <Heading slot="title">{title}</Heading>
              {children}
              {typed !== undefined && (
                <TextField value={given} onChange={setGiven} autoFocus autoComplete="off">
                  <Label>
                    Type <q>{typed}</q> to confirm
                  </Label>
                  <Input />
                </TextField>
              )}
              {error !== null && <Failure error={error} />}
              <div className="actions">
                <Button
                  className="react-aria-Button danger"
                  isDisabled={typed !== undefined && given !== typed}
                  isPending={isBusy}
                  onPress={() => void confirm(close)}
                >
                  {action}
                </Button>
                <Button className="react-aria-Button quiet" onPress={close}>
                  Cancel
                </Button>
              </div>
            </>
          )}
        </Dialog>
      </Modal>
    </DialogTrigger>
  );
}
