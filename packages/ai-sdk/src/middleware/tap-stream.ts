export interface Tap<Part> {
  /** Sees each part before the reader, and returns what the reader gets. */
  see(part: Part): Part;
  /** Called once, when nothing more comes or is wanted: after the end, an error, or the reader left. */
  end(): void;
}

/** A stream that somebody else sees too. It reads on only when its reader does, and adds no waiting to any part. */
export function tapStream<Part>(source: ReadableStream<Part>, tap: Tap<Part>): ReadableStream<Part> {
  const reader = source.getReader();
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(tap.see(value));
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        tap.end();
      },
      async cancel(reason) {
        tap.end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
