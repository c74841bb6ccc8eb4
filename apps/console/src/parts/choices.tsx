import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from 'react-aria-components';

interface ChoicesProps {
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function Choices({ label, options, value, onChange }: ChoicesProps) {
  return (
    <Select selectedKey={value} onSelectionChange={(id) => onChange(String(id))}>
      <Label>{label}</Label>
      <Button>
        <SelectValue />
      </Button>
      <Popover>
        <ListBox>
          {options.map(({ id, name }) => (
            <ListBoxItem key={id} id={id}>
              {name}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
