import type { Variable } from './variable.js';

export type Variables = Readonly<Record<string, Variable<unknown>>>;

export type ValuesOf<V extends Variables> = { readonly [N in keyof V]: V[N] extends Variable<infer T> ? T : never };

/** Refuses a variable because of another one's value; `expectation` completes "NAME …". */
export type AddProblem<V extends Variables> = (variable: keyof V & string, expectation: string) => void;

/** A group of variables that belong together, and the object a service gets from them. */
export interface Fragment<V extends Variables, T> {
  readonly title: string;
  readonly variables: V;
  build(values: ValuesOf<V>, addProblem: AddProblem<V>): T;
}

/** Infers the types of a fragment. */
export function defineFragment<V extends Variables, T>(fragment: Fragment<V, T>): Fragment<V, T> {
  return fragment;
}
