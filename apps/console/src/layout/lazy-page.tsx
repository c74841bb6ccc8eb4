import { type ComponentType, lazy, useState } from 'react';

/**
 * A page in a file of its own, which is loaded when it is first shown, or earlier by `prefetch`. React keeps the fallback
 * of a lazy component for 300 ms, also when its file is there already: what was prefetched is shown without it.
 */
export function lazyPage<Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  let prefetched: ComponentType<Props> | null = null;
  const Lazy = lazy(load);

  function Page(props: Props) {
    // For as long as it is shown: another component would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => prefetched ?? Lazy);
    return <Shown {...props} />;
  }

  return Object.assign(Page, {
    async prefetch(): Promise<void> {
      prefetched = (await load()).default;
    },
  });
}
