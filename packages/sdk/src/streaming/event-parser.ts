/** An event as it was received. */
export interface RawEvent {
  /** `message` unless the server named it. */
  readonly event: string;
  /** The last one that the server sent, with this event or before. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Parses a stream of server-sent events, however it was cut into chunks (WHATWG HTML §9.2.6). */
export class EventParser {
  private rest = '';
  private atStart = true;
  private event = '';
  private data: string[] = [];
  private id: string | undefined;

  /** The events that the chunk completes. */
  push(chunk: string): RawEvent[] {
    let text = this.rest + chunk;
    if (this.atStart && text !== '') {
      text = text.replace(/^\uFEFF/, '');
      this.atStart = false;
    }
    // A line feed after a carriage return at the end may still belong to it.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop()!;
    return lines.flatMap((line) => this.readLine(line));
  }

  private readLine(line: string): RawEvent[] {
    if (line === '') return this.finish();
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return [];
  }

  private finish(): RawEvent[] {
    const { event, data } = this;
    this.event = '';
    this.data = [];
    return data.length === 0 ? [] : [{ event: event || 'message', id: this.id, data: data.join('\n') }];
  }
}
