import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Loading } from '../parts/state.tsx';
import { explain } from '../queries.ts';
import { useSessionState } from './session.tsx';

interface OpenLinkProps {
  readonly token: string;
  readonly onDone: (failure: string | null) => void;
}

/** Signs in by a one-time link, and takes its token out of the address at once. */
export function OpenLink({ token, onDone }: OpenLinkProps) {
  const { signInByLink } = useSessionState();
  const [, navigate] = useLocation();
  useEffect(() => {
    navigate('/', { replace: true });
    signInByLink(token).then(
      () => onDone(null),
      (error: unknown) => onDone(explain(error)),
    );
    // Once: the link is used up by it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return <Loading what="console" />;
}
