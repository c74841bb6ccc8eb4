import { SENSITIVE_FIELDS } from '@annals/contracts';
import fc from 'fast-check';
import { type ContextBasis, type ContextPlan, PROPOSAL_TTL_MS } from './context-draft.js';
import { planContext, planDecision, planEdit, planExpiry } from './plan-context.js';
import type { ContextSignal, SignalKind } from './types.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 0, 5, 12);

/** A simulated user with a sequence of messages, edits and days. */
class SimulatedUser {
  basis: ContextBasis = { context: { id: 'context', revision: 0, fields: {}, goals: [] }, proposals: [] };
  now = NOON;
  readonly decisions: string[] = [];
  private ids = 0;
  private messages = 0;

  say(kind: SignalKind, field: ContextSignal['field'], value: string | null, over: Partial<ContextSignal> = {}): this {
    this.now += 1;
    return this.observe([{ kind, field, value, messageId: `m${++this.messages}`, saidAt: this.now, ...over }]);
  }

  observe(signals: readonly ContextSignal[]): this {
    this.follow(planContext(this.basis, signals, this.time()));
    return this;
  }

  edit(edit: Parameters<typeof planEdit>[1]): this {
    this.now += 1;
    this.follow(planEdit(this.basis, edit, this.time()));
    return this;
  }

  answer(answer: 'accept' | 'reject', value: string | null): boolean {
    this.now += 1;
    const proposal = this.basis.proposals.findLast((each) => each.value === value)!;
    const plan = planDecision(this.basis, proposal.id, answer, this.time());
    if (plan) this.follow(plan);
    return plan !== null;
  }

  pass(ms: number): this {
    this.now += ms;
    return this;
  }

  expire(): this {
    this.follow(planExpiry(this.basis, this.time()));
    return this;
  }

  get fields() {
    const { fields, goals } = this.basis.context;
    return {
      ...Object.fromEntries(
        Object.entries(fields).flatMap(([name, current]) => (current.value === null ? [] : [[name, current.value]])),
      ),
      ...(goals.length > 0 ? { goals: goals.map(({ value }) => value) } : {}),
    };
  }

  get proposals(): string[] {
    return this.basis.proposals.map(({ field, value, state }) => `${state} ${field}=${value}`);
  }

  get pending(): string[] {
    return this.proposals.filter((text) => text.startsWith('pending')).map((text) => text.slice(8));
  }

  private time() {
    return { now: this.now, nextId: () => `p${++this.ids}` };
  }

  private follow(plan: ContextPlan): void {
    const changed = new Map(plan.proposals.map((proposal) => [proposal.id, proposal]));
    const known = this.basis.proposals.map((proposal) => changed.get(proposal.id) ?? proposal);
    const fresh = plan.proposals.filter(({ id }) => this.basis.proposals.every((proposal) => proposal.id !== id));
    this.basis = { context: plan.context ?? this.basis.context, proposals: [...known, ...fresh] };
    for (const { meta, content } of plan.history) {
      const { decision, by } = meta as Record<string, string>;
      this.decisions.push(`${decision} ${content} by ${by}`);
    }
  }
}

describe('sensitive fields', () => {
  it('wait for consent after a mere statement, and change when it is given in the chat', () => {
    const user = new SimulatedUser().say('statement', 'preferred_name', 'Ana');
    expect(user).toMatchObject({ fields: {}, pending: ['preferred_name=Ana'], decisions: [] });
    user.say('consent', 'preferred_name', 'Ana');
    expect(user).toMatchObject({
      fields: { preferred_name: 'Ana' },
      proposals: ['accepted preferred_name=Ana'],
      decisions: ['applied preferred_name: Ana by chat'],
    });
    expect(user.basis.context.revision).toBe(1);
    expect(user.basis.proposals[0]!.messageIds).toEqual(['m1', 'm2']);
  });

  it('change when a proposal is accepted, and are unchanged when it is rejected', () => {
    const user = new SimulatedUser().say('statement', 'city', 'Lisbon');
    expect(user.answer('reject', 'Lisbon')).toBe(true);
    expect(user).toMatchObject({ fields: {}, decisions: ['rejected city: Lisbon by ui'] });
    expect(user.answer('accept', 'Lisbon')).toBe(false);
    user.say('statement', 'city', 'Lisbon');
    expect(user.pending).toEqual(['city=Lisbon']);
    expect(user.answer('accept', 'Lisbon')).toBe(true);
    expect(user.fields).toEqual({ city: 'Lisbon' });
  });

  it('are not proposed again for messages from before the rejection', () => {
    const user = new SimulatedUser().say('statement', 'city', 'Lisbon');
    const before = user.now;
    user.answer('reject', 'Lisbon');
    user.say('statement', 'city', 'Lisbon', { saidAt: before });
    user.say('consent', 'city', 'Lisbon', { saidAt: before });
    expect(user).toMatchObject({ fields: {}, pending: [] });
  });

  it('never change by an expired proposal, whether it is already marked as expired or not', () => {
    const user = new SimulatedUser().say('statement', 'pronouns', 'she/her').pass(PROPOSAL_TTL_MS);
    expect(user.answer('accept', 'she/her')).toBe(false);
    user.expire();
    expect(user).toMatchObject({
      fields: {},
      proposals: ['expired pronouns=she/her'],
      decisions: ['expired pronouns: she/her by time'],
    });
    const inTime = new SimulatedUser().say('statement', 'pronouns', 'she/her').pass(PROPOSAL_TTL_MS - 2);
    expect(inTime.answer('accept', 'she/her')).toBe(true);
  });

  it('use the later of two names, and one proposal at a time', () => {
    const user = new SimulatedUser()
      .say('statement', 'preferred_name', 'Ana')
      .say('statement', 'preferred_name', 'Bea');
    expect(user.proposals).toEqual(['withdrawn preferred_name=Ana', 'pending preferred_name=Bea']);
    user.say('consent', 'preferred_name', 'Cleo');
    expect(user).toMatchObject({ fields: { preferred_name: 'Cleo' }, pending: [] });
    user.say('statement', 'preferred_name', 'Ana').say('statement', 'preferred_name', 'Cleo');
    expect(user.pending).toEqual([]);
  });

  it('follow the time of the message, not of its processing', () => {
    const user = new SimulatedUser().say('consent', 'preferred_name', 'Bea');
    user.say('consent', 'preferred_name', 'Ana', { saidAt: NOON - 5 });
    user.say('retraction', 'preferred_name', null, { saidAt: NOON - 4 });
    user.say('statement', 'preferred_name', 'Ana', { saidAt: NOON - 3 });
    expect(user).toMatchObject({ fields: { preferred_name: 'Bea' }, pending: [] });
    const other = new SimulatedUser().say('retraction', 'preferred_name', 'Ana');
    other.say('consent', 'preferred_name', 'Ana', { saidAt: NOON - 5 });
    expect(other.fields).toEqual({});
    other.say('consent', 'preferred_name', 'Ana');
    expect(other.fields).toEqual({ preferred_name: 'Ana' });
  });

  it('are cleared immediately on request, and by consent when the person only denies them', () => {
    const user = new SimulatedUser().say('consent', 'city', 'Lisbon').say('denial', 'city', 'Lisbon');
    expect(user).toMatchObject({ fields: { city: 'Lisbon' }, pending: ['city=null'] });
    user.say('statement', 'city', 'Porto');
    expect(user.pending).toEqual(['city=Porto']);
    user.say('denial', 'city', 'Lisbon');
    expect(user.pending).toEqual(['city=Porto']);
    user.say('retraction', 'city', 'Berlin');
    expect(user.fields).toEqual({ city: 'Lisbon' });
    user.say('retraction', 'city', null);
    expect(user).toMatchObject({ fields: {}, pending: [] });
    expect(user.decisions).toContain('cleared city by chat');
  });

  it('have their pending proposals withdrawn when the person retracts the value', () => {
    const user = new SimulatedUser().say('statement', 'language', 'German').say('retraction', 'language', 'German');
    expect(user.proposals).toEqual(['withdrawn language=German']);
    user.say('statement', 'language', 'German');
    expect(user.pending).toEqual(['language=German']);
  });

  it('accept a lower-case name only when it is already proposed', () => {
    const user = new SimulatedUser().say('acknowledgement', 'preferred_name', 'ana');
    expect(user).toMatchObject({ fields: {}, proposals: [] });
    user.say('statement', 'preferred_name', 'Ana').say('acknowledgement', 'preferred_name', 'bea');
    expect(user.fields).toEqual({});
    user.say('acknowledgement', 'preferred_name', 'ana');
    expect(user.fields).toEqual({ preferred_name: 'Ana' });
  });

  it('never change without consent, for any signals in any order', () => {
    const signal = fc.record({
      kind: fc.constantFrom<SignalKind[]>('statement', 'consent', 'acknowledgement', 'denial', 'retraction', 'insight'),
      field: fc.constantFrom(...SENSITIVE_FIELDS),
      value: fc.constantFrom('A', 'B', 'C'),
      messageId: fc.constantFrom('m1', 'm2', 'm3', 'm4'),
      saidAt: fc.integer({ min: NOON - 20, max: NOON }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(signal, { maxLength: 4 }), { maxLength: 12 }), (batches) => {
        const user = new SimulatedUser();
        for (const batch of batches) {
          user.observe(batch).pass(DAY_MS);
          const pending = user.basis.proposals.filter(({ state }) => state === 'pending');
          expect(new Set(pending.map(({ field }) => field)).size).toBe(pending.length);
        }
        const consents = batches.flat().filter(({ kind }) => kind === 'consent' || kind === 'acknowledgement');
        for (const [field, current] of Object.entries(user.basis.context.fields)) {
          if (current.value === null) continue;
          expect(consents).toContainEqual(
            expect.objectContaining({ field, value: current.value, saidAt: current.since }),
          );
        }
        const applied = user.decisions.filter((text) => /^(?:applied|cleared)/.test(text)).length;
        expect(user.basis.context.revision).toBeLessThanOrEqual(applied);
      }),
      { numRuns: 300 },
    );
  });
});

describe('benign fields', () => {
  it('change after two different messages with the same value, but not after one message twice', () => {
    const user = new SimulatedUser().say('statement', 'tone', 'concise', { messageId: 'm1' });
    user.say('statement', 'tone', 'concise', { messageId: 'm1' });
    expect(user).toMatchObject({ fields: {}, pending: ['tone=concise'] });
    user.say('statement', 'tone', 'concise', { messageId: 'm2' });
    expect(user).toMatchObject({ fields: { tone: 'concise' }, decisions: ['applied tone: concise by signals'] });
  });

  it('recognise a goal in other words', () => {
    const user = new SimulatedUser().say('statement', 'goals_add', 'run a marathon');
    user.say('statement', 'goals_add', 'to run the Lisbon marathon');
    expect(user.fields).toEqual({ goals: ['run a marathon'] });
    user.say('statement', 'goals_add', 'running a marathon').say('statement', 'goals_add', 'learn Portuguese');
    expect(user).toMatchObject({ fields: { goals: ['run a marathon'] }, pending: ['goals_add=learn Portuguese'] });
    expect(user.answer('accept', 'learn Portuguese')).toBe(true);
    expect(user.fields).toEqual({ goals: ['run a marathon', 'learn Portuguese'] });
  });

  it('count messages of expired proposals, and start again after a contradiction or a rejection', () => {
    const user = new SimulatedUser()
      .say('statement', 'tone', 'formal')
      .pass(PROPOSAL_TTL_MS * 2)
      .say('statement', 'tone', 'formal');
    expect(user.fields).toEqual({ tone: 'formal' });
    const torn = new SimulatedUser().say('statement', 'tone', 'formal').say('statement', 'tone', 'casual');
    torn.say('statement', 'tone', 'formal');
    expect(torn).toMatchObject({ fields: {}, pending: ['tone=formal'] });
    torn.answer('reject', 'formal');
    torn.say('statement', 'tone', 'formal');
    expect(torn).toMatchObject({ fields: {}, pending: ['tone=formal'] });
  });

  it('change by an insight alone', () => {
    const user = new SimulatedUser().say('insight', 'tone', 'direct');
    expect(user).toMatchObject({ fields: { tone: 'direct' }, decisions: ['applied tone: direct by insight'] });
  });
});

describe('an edit in the settings page', () => {
  it('sets and clears fields, and ends their pending proposals', () => {
    const user = new SimulatedUser().say('statement', 'city', 'Lisbon').say('statement', 'preferred_name', 'Ana');
    user.edit({ city: 'Porto', preferred_name: 'Ana', goals: ['rest more'] });
    expect(user).toMatchObject({
      fields: { city: 'Porto', preferred_name: 'Ana', goals: ['rest more'] },
      proposals: ['withdrawn city=Lisbon', 'accepted preferred_name=Ana'],
    });
    expect(user.basis.context.revision).toBe(1);
    user.edit({ city: null, goals: [] });
    expect(user.fields).toEqual({ preferred_name: 'Ana' });
    expect(user.decisions.slice(-2)).toEqual(['cleared city by ui', 'cleared goals_add: rest more by ui']);
  });

  it('changes nothing when the values are already current', () => {
    const user = new SimulatedUser()
      .edit({ city: 'Porto', goals: ['rest more'] })
      .edit({ city: 'Porto', goals: ['rest more'] });
    expect(user.basis.context.revision).toBe(1);
    expect(user.decisions).toHaveLength(2);
  });
});
