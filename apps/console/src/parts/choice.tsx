import { Choices } from './choices.tsx';

interface ChoiceProps {
  readonly label: string;
  /** Shown for no choice, which is the first option. */
  readonly all: string;
  readonly options: readonly string[];
  /** Null: all. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** A filter of which one value, or none, is chosen. */
export function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  return (
    <Choices
      label={label}
      options={[all, ...options].map((name) => ({ id: name, name }))}
      value={value ?? all}
      onChange={(name) => onChange(name === all ? null : name)}
    />
  );
}
