/** The messages of a response: one as JSON, or several as events. None of a problem document, whose body is not read. */
export async function* readMessages(response: Response): AsyncGenerator<object> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) {
    yield (await response.json()) as object;
  } else if (type.startsWith('text/event-stream')) {
    for await (const data of readEvents(response.body!)) yield JSON.parse(data) as object;
  }
}

/** The data of each server-sent event that has some. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + chunk).split(/\r?\n\r?\n/);
    rest = events.pop()!;
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'));
      const data = lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
      if (data !== '') yield data;
    }
  }
}
