import { buildChains, wasTrueAt } from './chains.ts';

const statement = (id: string, from: string, superseded_by: string | null = null, to: string | null = null) => ({
  id,
  valid_from: `${from}T00:00:00Z`,
  valid_to: to && `${to}T00:00:00Z`,
  superseded_by,
});

describe('buildChains', () => {
  const idsOf = (...given: ReturnType<typeof statement>[]) =>
    buildChains(given).map((chain) => chain.map(({ id }) => id));

  it('puts statements that replaced each other into one chain, whatever their order', () => {
    const [paris, london, rome] = [
      statement('paris', '2020-01-01', 'london', '2021-01-01'),
      statement('london', '2021-01-01', 'rome', '2022-01-01'),
      statement('rome', '2022-01-01'),
    ];
    expect(idsOf(london, rome, paris)).toEqual([['paris', 'london', 'rome']]);
  });

  it('has the chain first whose last statement is the newest', () => {
    expect(idsOf(statement('tea', '2020-01-01'), statement('piano', '2023-01-01'))).toEqual([['piano'], ['tea']]);
  });

  it('ends a chain whose next statement was not given, and one that leads back to itself', () => {
    expect(idsOf(statement('paris', '2020-01-01', 'gone'))).toEqual([['paris']]);
    const ring = [statement('a', '2020-01-01', 'b'), statement('b', '2021-01-01', 'a')];
    expect(
      idsOf(...ring)
        .flat()
        .toSorted(),
    ).toEqual(['a', 'b']);
  });
});

describe('wasTrueAt', () => {
  it('holds from the first moment to before the last', () => {
    const given = statement('paris', '2020-01-01', null, '2021-01-01');
    const at = (time: string) => wasTrueAt(given, Date.parse(time));
    expect(['2019-12-31T23:59:59Z', '2020-01-01T00:00:00Z', '2020-12-31', '2021-01-01T00:00:00Z'].map(at)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
