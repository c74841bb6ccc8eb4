import { type FormEvent, useEffect, useState } from 'react';
import { Button, FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';
import { formText } from '../parts/form-text.ts';
import { Failure } from '../parts/state.tsx';
import { useSessionState } from './session.tsx';

interface SignInProps {
  /** Why there is no session, if somebody expects one. */
  readonly reason?: string | null;
}

export function SignIn({ reason = null }: SignInProps) {
  const { signIn } = useSessionState();
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    document.title = 'Annals console';
  }, []);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    try {
      await signIn(formText(form, 'key'));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <h1>Annals console</h1>
      {reason !== null && (
        <p className="state" role="alert">
          {reason}
        </p>
      )}
      <Form onSubmit={(event) => void submit(event)}>
        <TextField name="key" type="password" autoComplete="off" isRequired autoFocus>
          <Label>API key</Label>
          <Input />
          <Text slot="description">
            Kept in the memory of this tab only: reloading the page signs you out. <code>npm start</code> shows where
            the first key is.
          </Text>
          <FieldError />
        </TextField>
        {failure !== null && <Failure error={failure} />}
        <Button type="submit" isPending={isBusy}>
          Sign in
        </Button>
      </Form>
    </main>
  );
}
