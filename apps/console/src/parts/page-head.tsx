import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** Title of the tab, which browsers keep, where the title of the page names a person or what is known of them. */
  readonly tab?: string;
  /** The request behind the page, such as `GET /v1/users`. */
  readonly call: string;
  readonly children?: ReactNode;
}

/** Title of a page, with the call of the REST API that returns what it shows. */
export function PageHead({ title, tab = title, call, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${tab} – Annals`;
  }, [tab]);
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        <code className="call">{call}</code>
      </div>
      {children}
    </div>
  );
}
