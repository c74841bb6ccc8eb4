import { Component, type ReactNode } from 'react';
import { Empty } from '../parts/state.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

interface PageBoundaryState {
  readonly hasFailed: boolean;
}

/** Shows what to do in the place of a page that cannot be shown, as after an upgrade, which has other files. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = { hasFailed: false };

  static getDerivedStateFromError(): PageBoundaryState {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Empty title="This page cannot be shown">
        <p>
          Reload the page, and sign in again. If Annals was updated since you opened the console, that is all it needs.
        </p>
      </Empty>
    );
  }
}
