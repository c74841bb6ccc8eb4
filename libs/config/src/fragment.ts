import type { Variable } from './variable.js';

export type Variables = Readonly<Record<string, Variable<unknown>>>;

export type ValuesOf<V extends Variables> = { readonly [N in keyof V]: V[N] extends Variable<infer T> ? T : never };

/** Rejects a variable because of another variable's value; `expectation` completes "NAME …". */
export type AddProblem<V extends Variables> = (variable: keyof V & string, expectation: string) => void;

/** A group of related variables, and the object that a service builds from them. */
export interface Fragment<V extends Variables, T> {
  readonly title: string;
  readonly variables: V;
  build(values: ValuesOf<V>, addProblem: AddProblem<V>): T;
}

/** Infers the types of a fragment. */
export function defineFragment<V extends Variables, T>(fragment: Fragment<V, T>): Fragment<V, T> {
  return fragment;
}
