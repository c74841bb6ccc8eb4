import {
  forceCenter,
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  type SimulationNodeDatum,
} from 'd3-force';

interface Placed extends SimulationNodeDatum {
  readonly id: string;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Steps after which nodes hardly move: the layout is computed at once, and moves nothing while somebody reads. */
const STEPS = 200;
const DISTANCE = 140;
const ROOM = 46;

/** Places of nodes by id around (0, 0), of which linked ones are close. The same graph has the same places. */
export function placeNodes(
  ids: readonly string[],
  links: readonly { readonly from: string; readonly to: string }[],
): ReadonlyMap<string, Place> {
  const nodes = ids.map((id): Placed => ({ id }));
  const simulation = forceSimulation(nodes)
    .force('charge', forceManyBody().strength(-320))
    .force('room', forceCollide(ROOM))
    .force('center', forceCenter(0, 0))
    .force(
      'links',
      forceLink<Placed, { source: string; target: string }>(links.map(({ from, to }) => ({ source: from, target: to })))
        .id(({ id }) => id)
        .distance(DISTANCE),
    )
    .stop();
  simulation.tick(STEPS);
  return new Map(nodes.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
}
