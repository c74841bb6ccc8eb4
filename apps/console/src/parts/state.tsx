import type { ReactNode } from 'react';
import { explain } from '../queries.ts';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="state" role="status">
      Loading {what}…
    </p>
  );
}

export function Failure({ error }: { readonly error: unknown }) {
  return (
    <p className="state failure" role="alert">
      {explain(error)}
    </p>
  );
}

/** Says what is missing, and teaches the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="state empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function NoSuchPage() {
  return (
    <Empty title="There is no such page">
      <p>The link is incomplete, or of another version of the console.</p>
    </Empty>
  );
}
