import type { Memory } from '@annals/sdk';
import { useState } from 'react';
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components';
import { Link, useSearchParams } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Empty } from '../../parts/state.tsx';
import { Moment } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useClient } from '../../session/session.tsx';
import { now } from '../../system.ts';
import { buildChains, wasTrueAt } from './chains.ts';
import type { OfUser } from './user-page.tsx';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 200;

/** What was true when: chains of statements that replaced each other, and those that held on a day. */
export function Timeline({ userId }: OfUser) {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const list = usePages(['timeline', userId], (from) =>
    client.memories.list({ user_id: userId, include_superseded: true, limit: PAGE_SIZE, ...from }),
  );
  const memories = list.items;
  const today = toDay(now());
  const first = memories.reduce((day, { valid_from: from }) => Math.min(day, toDay(Date.parse(from))), today);
  const given = Date.parse(search.get('as_of') ?? '');
  const [dragged, setDragged] = useState<number | null>(null);
  const asOf = dragged ?? (Number.isNaN(given) ? today : toDay(given));
  /** The end of the day, so that what began on it held. */
  const asOfMs = (asOf + 1) * DAY_MS - 1;
  const chains = buildChains(memories);
  return (
    <>
      <PageHead
        tab="Timeline"
        title={`${userId}: timeline`}
        call={`GET /v1/memories?user_id=${encodeURIComponent(userId)}&include_superseded=true`}
      />
      <Paged
        list={list}
        what="statements"
        empty={
          <Empty title="Nothing has happened yet">
            <p>Statements appear here with the time from which they hold.</p>
          </Empty>
        }
      >
        {() => (
          <>
            <Slider
              minValue={first}
              maxValue={today}
              value={asOf}
              onChange={setDragged}
              onChangeEnd={(day) => {
                setSearch({ as_of: toDate(day) }, { replace: true });
                setDragged(null);
              }}
            >
              <Label>As of</Label>
              <SliderOutput>
                <Moment at={toDate(asOf)} day />
              </SliderOutput>
              <SliderTrack>
                <SliderThumb />
              </SliderTrack>
            </Slider>
            <ul className="chains">
              {chains.map((chain) => (
                <li key={chain[0]!.id}>
                  <ol>
                    {chain.map((memory) => (
                      <Statement key={memory.id} memory={memory} isTrue={wasTrueAt(memory, asOfMs)} />
                    ))}
                  </ol>
                </li>
              ))}
            </ul>
          </>
        )}
      </Paged>
    </>
  );
}

function Statement({ memory, isTrue }: { readonly memory: Memory; readonly isTrue: boolean }) {
  return (
    <li className={isTrue ? 'true' : 'not-true'}>
      <p>
        <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
      </p>
      <p className="facts">
        <Moment at={memory.valid_from} day /> – {memory.valid_to ? <Moment at={memory.valid_to} day /> : 'now'}
        {!isTrue && ' · did not hold on that day'}
      </p>
    </li>
  );
}

/** Days since 1970, in UTC. */
function toDay(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
