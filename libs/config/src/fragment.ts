import type { Variable } from './variable.js';

/** Variables by the property of the configuration that gets their value. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

export type ValuesOf<V extends Variables> = { readonly [N in keyof V]: V[N] extends Variable<infer T> ? T : never };

/** Rejects a variable because of another variable's value; `expectation` completes "NAME …". */
export type AddProblem<V extends Variables> = (property: keyof V & string, expectation: string) => void;

/** A group of related variables, and the object that a service builds from them. */
export interface Fragment<V extends Variables, T> {
  readonly title: string;
  readonly variables: V;
  build(values: ValuesOf<V>, addProblem: AddProblem<V>): T;
}

/** Infers the types of a fragment. Default of `build`: the values as they are. */
export function defineFragment<V extends Variables, T = ValuesOf<V>>({
  build = (values) => values as unknown as T,
  ...fragment
}: Omit<Fragment<V, T>, 'build'> & Partial<Pick<Fragment<V, T>, 'build'>>): Fragment<V, T> {
  return { ...fragment, build };
}

/** Reads optional variables that `cause` makes necessary; a missing one is a problem, and `placeholder` is returned. */
export function requirer<V extends Variables>(values: ValuesOf<V>, addProblem: AddProblem<V>, cause: string) {
  return <N extends keyof V & string>(property: N, placeholder: NonNullable<ValuesOf<V>[N]>) => {
    const value = values[property];
    if (value === undefined) addProblem(property, `is missing: ${cause} needs it`);
    return value ?? placeholder;
  };
}
