import type { ReactNode } from 'react';

/** A heading; `number` stands over figures, and `hidden` is said to screen readers alone. */
type Column = string | { readonly number: string } | { readonly hidden: string };

interface TableProps {
  /** Of a table that may be wider than the page: it scrolls by itself, also with the keyboard. */
  readonly label?: string;
  readonly caption?: string;
  readonly columns: readonly Column[];
  /** The rows. */
  readonly children: ReactNode;
}

export function Table({ label, caption, columns, children }: TableProps) {
  const table = (
    <table>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column, index) => (
            <Heading key={index} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
  if (label === undefined) return table;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label={label}>
      {table}
    </div>
  );
}

function Heading({ column }: { readonly column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  if ('number' in column)
    return (
      <th scope="col" className="number">
        {column.number}
      </th>
    );
  return (
    <th scope="col">
      <span className="visually-hidden">{column.hidden}</span>
    </th>
  );
}
