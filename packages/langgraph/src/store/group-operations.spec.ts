import { groupOperations, type OwnedOperation } from './group-operations.js';

const put = (place: number, user: string | undefined, length = 1): OwnedOperation => ({
  place,
  user,
  operation: { op: 'put', namespace: ['n'], key: `k${place}`, value: { text: 'é'.repeat(length) } },
});
const placesOf = (operations: readonly OwnedOperation[]) =>
  groupOperations(operations).map((requests) => requests.map((request) => request.map(({ place }) => place)));

describe('groupOperations', () => {
  it('has the requests of each user, in order', () => {
    expect(placesOf([put(0, 'a'), put(1, 'b'), put(2, undefined), put(3, 'a')])).toEqual([[[0, 3]], [[1]], [[2]]]);
    expect(placesOf([])).toEqual([]);
  });

  it('divides what is too much for one request, by number and by bytes', () => {
    const many = placesOf(Array.from({ length: 450 }, (_, place) => put(place, 'a')));
    expect(many[0]!.map((request) => request.length)).toEqual([200, 200, 50]);
    const long = placesOf(Array.from({ length: 5 }, (_, place) => put(place, 'a', 200_000)));
    expect(long).toEqual([[[0, 1], [2, 3], [4]]]);
    expect(placesOf([put(0, 'a', 1_000_000), put(1, 'a')])).toEqual([[[0], [1]]]);
  });
});
