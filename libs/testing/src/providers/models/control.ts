import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Behaviour, Endpoint } from './behaviour.js';
import type { FakeModels } from './fake-models.js';
import type { Charge, JournalEntry, JournalSummary } from './journal.js';
import type { MisbehaviourMix } from './misbehaviours.js';
import { readBody } from './parse-request.js';
import type { ServerRules } from './request-rules.js';

/** Path at which other processes control the server. */
export const CONTROL_PATH = '/__control';

export type ControlCommand =
  | { command: 'plan'; behaviours: Behaviour[]; endpoint?: Endpoint }
  | { command: 'misbehave'; mix: MisbehaviourMix | null }
  | { command: 'outage'; on: boolean | Behaviour }
  | { command: 'configure'; rules: Partial<ServerRules> & { latencyMs?: number } }
  | { command: 'summary' }
  | { command: 'charges' }
  | { command: 'entries'; from: number }
  | { command: 'clear' };

/** Executes one command and responds with its result, or null. */
export async function handleControlCommand(
  fake: FakeModels,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const command = (await readBody(request)) as unknown as ControlCommand;
  const answer = JSON.stringify(handleCommand(fake, command));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
}

function handleCommand(fake: FakeModels, command: ControlCommand): JournalSummary | JournalEntry[] | Charge[] | null {
  switch (command.command) {
    case 'plan':
      fake.planFor(command.endpoint ?? 'generate', ...command.behaviours);
      return null;
    case 'misbehave':
      fake.misbehave(command.mix ?? undefined);
      return null;
    case 'outage':
      fake.outage(command.on);
      return null;
    case 'configure':
      fake.configure(command.rules);
      return null;
    case 'summary':
      return fake.journal.summarize();
    case 'charges':
      return fake.journal.listCharges();
    case 'entries':
      return fake.journal.entries.slice(command.from);
    case 'clear':
      fake.journal.clear();
      return null;
  }
}

/** Controls fake models from another process. */
export class FakeModelsRemote {
  readonly openaiUrl: string;

  constructor(readonly anthropicUrl: string) {
    this.openaiUrl = `${anthropicUrl}/v1`;
  }

  async plan(...behaviours: Behaviour[]): Promise<void> {
    await this.send({ command: 'plan', behaviours });
  }

  async planFor(endpoint: Endpoint, ...behaviours: Behaviour[]): Promise<void> {
    await this.send({ command: 'plan', behaviours, endpoint });
  }

  async misbehave(mix: MisbehaviourMix | undefined): Promise<void> {
    await this.send({ command: 'misbehave', mix: mix ?? null });
  }

  async outage(on: boolean | Behaviour): Promise<void> {
    await this.send({ command: 'outage', on });
  }

  async configure(rules: Partial<ServerRules> & { latencyMs?: number }): Promise<void> {
    await this.send({ command: 'configure', rules });
  }

  async summarize(): Promise<JournalSummary> {
    return (await this.send({ command: 'summary' })) as JournalSummary;
  }

  async listEntries(from = 0): Promise<JournalEntry[]> {
    return (await this.send({ command: 'entries', from })) as JournalEntry[];
  }

  async listCharges(): Promise<Charge[]> {
    return (await this.send({ command: 'charges' })) as Charge[];
  }

  async clear(): Promise<void> {
    await this.send({ command: 'clear' });
  }

  private async send(command: ControlCommand): Promise<unknown> {
    const response = await fetch(`${this.anthropicUrl}${CONTROL_PATH}`, {
      method: 'POST',
      body: JSON.stringify(command),
    });
    return response.json();
  }
}
