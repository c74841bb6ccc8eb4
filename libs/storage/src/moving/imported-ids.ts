import { deriveImportedId, type ImportOwner } from '@annals/domain';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Kind = Parameters<typeof deriveImportedId>[2];

/** What is known here about a record under one of its possible ids. */
export interface IdState {
  /** Who has the id, if somebody of the tenant does. */
  readonly ownerOf: (id: string) => string | undefined;
  readonly wasDeleted: (id: string) => boolean;
}

export type ResolvedId =
  | { readonly state: 'stored' | 'free'; readonly id: string }
  /** What had the id was deleted here. */
  | { readonly state: 'deleted' };

/** Which ids records have here: their own unless it is no UUID or another user has it, else a derived one. */
export class ImportedIds {
  private readonly derived = new Map<string, string>();

  constructor(
    private readonly key: Uint8Array,
    private readonly owner: ImportOwner,
  ) {}

  /** The ids that a record may have here. */
  candidates(kind: Kind, id: string): string[] {
    const own = asUuid(id);
    return own === null ? [this.derive(kind, id)] : [own, this.derive(kind, id)];
  }

  resolve(kind: Kind, id: string, { ownerOf, wasDeleted }: IdState): ResolvedId {
    const candidates = this.candidates(kind, id);
    const stored = candidates.find((candidate) => ownerOf(candidate) === this.owner.userId);
    if (stored !== undefined) return { state: 'stored', id: stored };
    if (candidates.some(wasDeleted)) return { state: 'deleted' };
    return { state: 'free', id: candidates.find((candidate) => ownerOf(candidate) === undefined)! };
  }

  /** The id that is always made of this one. */
  derive(kind: Kind, id: string): string {
    const name = `${kind} ${id}`;
    let derived = this.derived.get(name);
    if (derived === undefined) {
      derived = deriveImportedId(this.key, this.owner, kind, id);
      this.derived.set(name, derived);
    }
    return derived;
  }
}

function asUuid(id: string): string | null {
  const lower = id.toLowerCase();
  return UUID.test(lower) ? lower : null;
}
