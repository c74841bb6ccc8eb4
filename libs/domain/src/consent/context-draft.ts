import type { ContextField } from '@annals/contracts';
import type { HistoryDraft } from '../writes/types.js';
import type { ContextState, CurrentValue, SettingField, SingleField, StoredProposal } from './types.js';
import { isSameValue, makeValueKey } from './value-key.js';

/** See docs/reference/consent.md#proposals-expire-after-7-days. */
export const PROPOSAL_TTL_MS = 7 * 24 * 60 * 60 * 1_000;

type Decision = 'applied' | 'cleared' | 'rejected' | 'withdrawn' | 'expired';

/** The input of a plan: the context, a new one when there is none yet, and the proposals that may be affected. */
export interface ContextBasis {
  readonly context: ContextState;
  readonly proposals: readonly StoredProposal[];
}

export interface ContextPlan {
  /** The new context; null when it is unchanged. */
  readonly context: ContextState | null;
  readonly proposals: readonly StoredProposal[];
  /** One row per decision. The value is its content, which erasure deletes; `meta` contains no text of the user. */
  readonly history: readonly HistoryDraft[];
}

export interface PlanTime {
  /** Epoch ms. */
  readonly now: number;
  readonly nextId: () => string;
}

export class ContextDraft {
  private readonly proposals: Map<string, StoredProposal>;
  private readonly touched = new Set<string>();
  private readonly history: HistoryDraft[] = [];
  private fields: ContextState['fields'];
  private goals: readonly CurrentValue[];
  private isChanged = false;

  constructor(
    private readonly basis: ContextBasis,
    private readonly time: PlanTime,
  ) {
    this.proposals = new Map(basis.proposals.map((proposal) => [proposal.id, proposal]));
    this.fields = basis.context.fields;
    this.goals = basis.context.goals;
    for (const proposal of basis.proposals)
      if (proposal.state === 'pending' && proposal.expiresAt <= time.now)
        this.decide(proposal, 'expired', time.now, 'time');
  }

  current(field: SingleField | SettingField): CurrentValue | undefined {
    return this.fields[field];
  }

  currentGoals(): readonly CurrentValue[] {
    return this.goals;
  }

  /** Whether a goal is there that is the same, also in other words. `goalKey`: of the value. */
  hasGoal(goalKey: string): boolean {
    return this.goals.some(({ value }) => isSameValue('goals_add', makeValueKey('goals_add', value), goalKey));
  }

  /** Proposals of a field, oldest first. */
  proposalsOf(field: ContextField, state?: StoredProposal['state']): StoredProposal[] {
    return [...this.proposals.values()]
      .filter((proposal) => proposal.field === field && (state === undefined || proposal.state === state))
      .toSorted((a, b) => a.saidAt - b.saidAt);
  }

  get(id: string): StoredProposal | undefined {
    return this.proposals.get(id);
  }

  propose(field: ContextField, value: string | null, messageIds: readonly string[], saidAt: number): StoredProposal {
    const proposal: StoredProposal = {
      id: this.time.nextId(),
      field,
      value,
      key: makeValueKey(field, value),
      state: 'pending',
      messageIds,
      saidAt,
      createdAt: this.time.now,
      expiresAt: this.time.now + PROPOSAL_TTL_MS,
      decidedAt: null,
      decidedBy: null,
    };
    this.put(proposal);
    return proposal;
  }

  addSupportingMessage(proposal: StoredProposal, messageId: string): StoredProposal {
    if (proposal.messageIds.includes(messageId)) return proposal;
    const supported = { ...proposal, messageIds: [...proposal.messageIds, messageId] };
    this.put(supported);
    return supported;
  }

  /** Ends a pending proposal without applying it. `at`: when the person decided, in epoch ms. */
  decide(proposal: StoredProposal, state: 'rejected' | 'withdrawn' | 'expired', at: number, by: string): void {
    this.put({ ...proposal, state, decidedAt: at, decidedBy: by });
    this.record(state, proposal.field, proposal.value, by, proposal.id);
  }

  /** Applies a value; its proposal, if any, is accepted. */
  apply(
    field: ContextField | SettingField,
    value: string | null,
    since: number,
    by: string,
    proposal?: StoredProposal,
  ): void {
    if (field === 'goals_add') {
      if (value === null) return;
      this.goals = [...this.goals, { value, since, by }];
    } else {
      this.fields = { ...this.fields, [field]: { value, since, by } };
    }
    this.isChanged = true;
    if (proposal) this.put({ ...proposal, state: 'accepted', decidedAt: since, decidedBy: by });
    this.record(value === null ? 'cleared' : 'applied', field, value, by, proposal?.id);
  }

  replaceGoals(values: readonly string[], by: string): void {
    const key = (value: string | null) => makeValueKey('goals_add', value);
    const current = new Map(this.goals.map((goal) => [key(goal.value), goal]));
    const requested = new Map(values.map((value) => [key(value), value]));
    for (const [goalKey, goal] of current)
      if (!requested.has(goalKey)) this.record('cleared', 'goals_add', goal.value, by, undefined);
    for (const [goalKey, value] of requested) {
      if (current.get(goalKey)?.value === value) continue;
      this.record('applied', 'goals_add', value, by, undefined);
    }
    const next = [...requested].map(([goalKey, value]) => {
      const previous = current.get(goalKey);
      return previous?.value === value ? previous : { value, since: this.time.now, by };
    });
    const isSame = next.length === this.goals.length && next.every((goal, index) => goal === this.goals[index]);
    if (isSame) return;
    this.goals = next;
    this.isChanged = true;
  }

  /** After a newer decision: pending proposals of the same value are accepted, others are withdrawn. */
  resolvePending(field: ContextField, value: string | null, at: number, by: string): void {
    const key = makeValueKey(field, value);
    for (const proposal of this.proposalsOf(field, 'pending')) {
      if (proposal.saidAt > at) continue;
      if (isSameValue(field, proposal.key, key)) {
        this.put({ ...proposal, state: 'accepted', decidedAt: at, decidedBy: by });
      } else if (field !== 'goals_add') this.decide(proposal, 'withdrawn', at, 'newer');
    }
  }

  finish(): ContextPlan {
    const { context } = this.basis;
    return {
      context: this.isChanged
        ? { ...context, revision: context.revision + 1, fields: this.fields, goals: this.goals }
        : null,
      proposals: [...this.touched].map((id) => this.proposals.get(id)!),
      history: this.history,
    };
  }

  private put(proposal: StoredProposal): void {
    this.proposals.set(proposal.id, proposal);
    this.touched.add(proposal.id);
  }

  private record(
    decision: Decision,
    field: ContextField | SettingField,
    value: string | null,
    by: string,
    proposalId: string | undefined,
  ): void {
    this.history.push({
      memoryId: this.basis.context.id,
      event: 'CONSENT',
      oldRef: null,
      newRef: proposalId ?? null,
      content: value === null ? field : `${field}: ${value}`,
      meta: { decision, field, by },
    });
  }
}
