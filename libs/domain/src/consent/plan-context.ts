import {
  type ContextField,
  MAX_GOALS,
  type PutUserContext,
  SENSITIVE_FIELDS,
  type SensitiveField,
} from '@annals/contracts';
import { type ContextBasis, ContextDraft, type ContextPlan, type PlanTime } from './context-draft.js';
import type { ContextSignal, SingleField, StoredProposal } from './types.js';
import { isSameValue, makeValueKey } from './value-key.js';

/** Different messages with the same value (docs/reference/consent.md#two-signals-for-benign-fields). */
const MIN_SIGNALS = 2;

type Signal = ContextSignal & { readonly key: string };

/**
 * Plans the changes of a context by signals (docs/reference/consent.md#sensitive-fields-need-consent,
 * docs/reference/consent.md#later-decisions-win). A sensitive field changes only by the person's own request; a mere
 * statement becomes a proposal. Tone and goals are applied after two messages with the same value. Signals count by the
 * time of their message, not of processing: nothing older overrides a later decision of the person.
 */
export function planContext(basis: ContextBasis, signals: readonly ContextSignal[], time: PlanTime): ContextPlan {
  const draft = new ContextDraft(basis, time);
  for (const signal of signals.toSorted((a, b) => a.saidAt - b.saidAt)) {
    const keyed = { ...signal, key: makeValueKey(signal.field, signal.value) };
    if (isSensitive(signal.field)) applySensitiveSignal(draft, keyed, signal.field);
    else applyBenignSignal(draft, keyed);
  }
  return draft.finish();
}

function isSensitive(field: ContextField): field is SensitiveField {
  return (SENSITIVE_FIELDS as readonly string[]).includes(field);
}

function applySensitiveSignal(draft: ContextDraft, signal: Signal, field: SensitiveField): void {
  const current = draft.current(field);
  if (current && current.since > signal.saidAt) return;
  switch (signal.kind) {
    case 'consent':
      return consent(draft, signal, field);
    case 'acknowledgement': {
      const meant = findPending(draft, signal);
      if (meant) consent(draft, { ...signal, value: meant.value, key: meant.key }, field);
      return;
    }
    case 'retraction':
      return retract(draft, signal, field);
    case 'denial':
      return deny(draft, signal, field);
    case 'statement':
    case 'insight':
      return propose(draft, signal, field);
  }
}

function consent(draft: ContextDraft, signal: Signal, field: SingleField): void {
  const { value, key, saidAt, messageId } = signal;
  if (wasRejectedLater(draft, signal)) return;
  const current = draft.current(field);
  if (current && makeValueKey(field, current.value) === key) return draft.resolvePending(field, value, saidAt, 'chat');
  const asked = draft
    .proposalsOf(field, 'pending')
    .find((proposal) => proposal.key === key && proposal.saidAt <= saidAt);
  const proposal = asked
    ? draft.addSupportingMessage(asked, messageId)
    : draft.propose(field, value, [messageId], saidAt);
  draft.apply(field, value, saidAt, 'chat', proposal);
  draft.resolvePending(field, value, saidAt, 'chat');
}

/** A consent that is processed after a later rejection. */
function wasRejectedLater(draft: ContextDraft, { field, key, saidAt }: Signal): boolean {
  return draft
    .proposalsOf(field)
    .some(
      (proposal) =>
        proposal.key === key &&
        (proposal.state === 'rejected' || proposal.state === 'withdrawn') &&
        proposal.decidedBy !== 'newer' &&
        proposal.decidedAt! > saidAt,
    );
}

/** Withdraws proposals and clears the value; stored, since earlier messages may be processed later. */
function retract(draft: ContextDraft, signal: Signal, field: SingleField): void {
  const { value, saidAt, messageId } = signal;
  const isWithdrawn = withdraw(draft, signal) > 0;
  const current = draft.current(field);
  if (matchesCurrentValue(draft, signal, field) || value === null) {
    if (current?.value !== null || current.since < saidAt) draft.apply(field, null, saidAt, 'chat');
  } else if (!isWithdrawn) {
    draft.decide(draft.propose(field, value, [messageId], saidAt), 'withdrawn', saidAt, 'chat');
  }
}

/** The person says that the value is wrong but requests nothing: proposes to clear it. */
function deny(draft: ContextDraft, signal: Signal, field: SingleField): void {
  withdraw(draft, signal);
  if (!matchesCurrentValue(draft, signal, field)) return;
  // A replacement value is already pending.
  if (draft.proposalsOf(field, 'pending').length > 0) return;
  propose(draft, { ...signal, value: null, key: makeValueKey(field, null) }, field);
}

function withdraw(draft: ContextDraft, signal: Signal): number {
  const meant = draft
    .proposalsOf(signal.field, 'pending')
    .filter(
      (proposal) => proposal.saidAt <= signal.saidAt && proposal.value !== null && matchesValue(signal, proposal.key),
    );
  for (const proposal of meant) draft.decide(proposal, 'withdrawn', signal.saidAt, 'chat');
  return meant.length;
}

function matchesCurrentValue(draft: ContextDraft, signal: Signal, field: SingleField): boolean {
  const value = draft.current(field)?.value ?? null;
  return value !== null && matchesValue(signal, makeValueKey(field, value));
}

function matchesValue({ field, value, key }: Signal, otherKey: string): boolean {
  return value === null || isSameValue(field, key, otherKey);
}

function propose(draft: ContextDraft, signal: Signal, field: SingleField): void {
  const { key, value, saidAt, messageId } = signal;
  const current = draft.current(field);
  const currentKey = makeValueKey(field, current?.value ?? null);
  const pending = draft.proposalsOf(field, 'pending');
  const same = pending.find((proposal) => proposal.key === key);
  if (same) return void draft.addSupportingMessage(same, messageId);
  // A newer statement withdraws older pending proposals of other values, even if it repeats the current value.
  const overtaken = pending.filter((proposal) => proposal.saidAt <= saidAt);
  if (overtaken.length < pending.length) return;
  if (currentKey !== key && !mayProposeAgain(draft, signal)) return;
  for (const proposal of overtaken) draft.decide(proposal, 'withdrawn', saidAt, 'newer');
  if (currentKey !== key) draft.propose(field, value, [messageId], saidAt);
}

/** A declined or withdrawn value is proposed again only if it was stated after that. */
function mayProposeAgain(draft: ContextDraft, { field, key, saidAt, messageId }: Signal): boolean {
  return draft
    .proposalsOf(field)
    .filter((proposal) => isSameValue(field, proposal.key, key))
    .every(({ state, decidedAt, messageIds }) => {
      if (state === 'rejected' || state === 'withdrawn') return decidedAt! < saidAt;
      return !messageIds.includes(messageId);
    });
}

function findPending(draft: ContextDraft, { field, key, saidAt }: Signal): StoredProposal | undefined {
  return draft.proposalsOf(field, 'pending').find((proposal) => proposal.key === key && proposal.saidAt <= saidAt);
}

/** Tone, and goals that are added: one message proposes, the second one applies. */
function applyBenignSignal(draft: ContextDraft, signal: Signal): void {
  const { field, value, saidAt, messageId, kind } = signal;
  if (isInUse(draft, signal)) return;
  if (kind === 'denial' || kind === 'retraction') return void withdraw(draft, signal);
  const pending = draft.proposalsOf(field, 'pending');
  const same = pending.find((proposal) => isSameValue(field, proposal.key, signal.key));
  if (!same && !mayProposeAgain(draft, signal)) return;
  if (field === 'tone') {
    for (const other of pending)
      if (other !== same && other.saidAt <= saidAt) draft.decide(other, 'withdrawn', saidAt, 'newer');
    if (draft.proposalsOf(field, 'pending').some((other) => other.id !== same?.id)) return;
  }
  const proposal = same
    ? draft.addSupportingMessage(same, messageId)
    : draft.propose(field, value, [...listExpiredProposalMessages(draft, signal), messageId], saidAt);
  const isCertain = kind === 'insight' || proposal.messageIds.length >= MIN_SIGNALS;
  const hasRoom = field !== 'goals_add' || draft.currentGoals().length < MAX_GOALS;
  if (isCertain && hasRoom)
    draft.apply(field, proposal.value, saidAt, kind === 'insight' ? 'insight' : 'signals', proposal);
}

function isInUse(draft: ContextDraft, { field, key, saidAt }: Signal): boolean {
  if (field === 'goals_add') return draft.hasGoal(key);
  const current = draft.current(field);
  return current !== undefined && (current.since > saidAt || makeValueKey(field, current.value) === key);
}

/** Messages of expired proposals with the same value: they still count as signals. */
function listExpiredProposalMessages(draft: ContextDraft, { field, key }: Signal): string[] {
  const previous = draft.proposalsOf(field, 'expired').filter((proposal) => isSameValue(field, proposal.key, key));
  return [...new Set(previous.flatMap(({ messageIds }) => messageIds))];
}

/** Fields with one value. */
export const SINGLE_FIELDS: readonly SingleField[] = ['preferred_name', 'pronouns', 'city', 'language', 'tone'];

/** Plans an edit in a settings page, which is the person's consent from `now` on. */
export function planEdit(basis: ContextBasis, edit: PutUserContext, time: PlanTime): ContextPlan {
  const { now } = time;
  const draft = new ContextDraft(basis, time);
  for (const field of SINGLE_FIELDS) {
    const value = edit[field];
    if (value === undefined) continue;
    if ((draft.current(field)?.value ?? null) !== value) draft.apply(field, value, now, 'ui');
    draft.resolvePending(field, value, now, 'ui');
  }
  if (edit.insights !== undefined && (draft.current('insights')?.value ?? null) !== edit.insights) {
    draft.apply('insights', edit.insights, now, 'ui');
  }
  if (edit.goals !== undefined) {
    draft.replaceGoals(edit.goals, 'ui');
    for (const goal of edit.goals) draft.resolvePending('goals_add', goal, now, 'ui');
  }
  return draft.finish();
}

/** Plans the person's answer to a proposal; null when the proposal is no longer pending or has expired. */
export function planDecision(
  basis: ContextBasis,
  proposalId: string,
  answer: 'accept' | 'reject',
  time: PlanTime,
): ContextPlan | null {
  const { now } = time;
  const draft = new ContextDraft(basis, time);
  const proposal = draft.get(proposalId);
  if (proposal?.state !== 'pending') return null;
  const { field, value, key } = proposal;
  if (answer === 'reject') {
    draft.decide(proposal, 'rejected', now, 'ui');
    return draft.finish();
  }
  const isCurrentValue =
    field === 'goals_add'
      ? draft.currentGoals().some((goal) => makeValueKey(field, goal.value) === key)
      : draft.current(field)?.value === value;
  if (!isCurrentValue) draft.apply(field, value, now, 'ui', proposal);
  draft.resolvePending(field, value, now, 'ui');
  return draft.finish();
}

export function planExpiry(basis: ContextBasis, time: PlanTime): ContextPlan {
  return new ContextDraft(basis, time).finish();
}
