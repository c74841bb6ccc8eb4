/** Bytes of a packed id, `uuid_send(…)`. */
export const ID_BYTES = 16;

/** The id that is packed at `start`, in its text form. */
export function readUuid(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + ID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
