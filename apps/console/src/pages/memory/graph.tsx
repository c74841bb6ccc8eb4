import type { Memory, RelatedMemory } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { Failure, Loading } from '../../parts/state.tsx';
import { useClient } from '../../session/session.tsx';
import { placeNodes } from './place-nodes.ts';

const MARGIN = 120;
const LABEL_LENGTH = 28;

/** Memories that are linked to one, as a picture and as a list: the list says the same to a screen reader. */
export default function Graph({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const related = useQuery({
    queryKey: ['related', memory.id],
    queryFn: () => client.memories.related(memory.id).page(),
  });
  const items = useMemo(() => related.data?.items ?? [], [related.data]);
  return (
    <section aria-labelledby="linked">
      <h2 id="linked">Linked memories</h2>
      <code className="call">GET /v1/memories/{memory.id}/related</code>
      {related.isPending && <Loading what="links" />}
      {related.isError && <Failure error={related.error} />}
      {related.isSuccess && items.length === 0 && <p>It is linked to no other memory.</p>}
      {related.data?.next_cursor && <p>The {items.length} strongest links are shown.</p>}
      {items.length > 0 && (
        <>
          <Picture memory={memory} items={items} />
          <ul>
            {items.map((item) => (
              <li key={item.id}>
                <Link href={`/memories/${item.id}`}>{item.content}</Link>{' '}
                <span className="facts">{item.relation_type}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface PictureProps {
  readonly memory: Memory;
  readonly items: readonly RelatedMemory[];
}

function Picture({ memory, items }: PictureProps) {
  const [, navigate] = useLocation();
  const memories = [memory, ...items];
  const places = placeNodes(
    memories.map(({ id }) => id),
    items.map((item) => ({ from: memory.id, to: item.id })),
  );
  const xs = [...places.values()].map(({ x }) => x);
  const ys = [...places.values()].map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN / 2];
  const box = `${left} ${top} ${Math.max(...xs) - left + MARGIN} ${Math.max(...ys) - top + MARGIN / 2}`;
  const center = places.get(memory.id)!;
  return (
    <svg className="graph" viewBox={box} aria-hidden="true">
      {items.map((item) => {
        const { x, y } = places.get(item.id)!;
        return <line key={item.id} x1={center.x} y1={center.y} x2={x} y2={y} strokeWidth={1 + 3 * item.strength} />;
      })}
      {memories.map(({ id, content }) => {
        const { x, y } = places.get(id)!;
        return (
          <g key={id} transform={`translate(${x} ${y})`} onClick={() => navigate(`/memories/${id}`)}>
            <circle r={id === memory.id ? 12 : 8} />
            <text y={26}>{content.length > LABEL_LENGTH ? `${content.slice(0, LABEL_LENGTH - 1)}…` : content}</text>
          </g>
        );
      })}
    </svg>
  );
}
