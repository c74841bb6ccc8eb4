import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';

interface SecretProps {
  /** What it is, as "The key of acme". */
  readonly title: string;
  readonly text: string;
  readonly onDone: () => void;
}

/** A secret that is shown once: the server has only its hash. */
export function Secret({ title, text, onDone }: SecretProps) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const shown = useRef<HTMLElement>(null);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Browsers have no clipboard for pages without TLS.
      setCopied(false);
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
    }
  }

  return (
    <section className="state" aria-label={title} role="status">
      <h2>{title}</h2>
      <p>Copy it now: it is shown once, and stored as a hash only.</p>
      <p>
        <code className="secret" ref={shown}>
          {text}
        </code>
      </p>
      <div className="actions">
        <Button onPress={() => void copy()}>
          {isCopied === null ? 'Copy' : isCopied ? 'Copied' : 'Selected: copy it by hand'}
        </Button>
        <Button className="react-aria-Button quiet" onPress={onDone}>
          Done
        </Button>
      </div>
    </section>
  );
}
