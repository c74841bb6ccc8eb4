import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';

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
    <Select selectedKey={value ?? all} onSelectionChange={(key) => onChange(key === all ? null : String(key))}>
      <Label>{label}</Label>
      <Button>
        <SelectValue />
      </Button>
      <Popover>
        <ListBox>
          {[all, ...options].map((name) => (
            <ListBoxItem key={name} id={name}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
