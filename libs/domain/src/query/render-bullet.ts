import { renderDay } from '../text/months.js';

/** A memory as far as a bullet needs it. Times are epoch ms, RFC 3339 text or dates. */
export interface BulletInput {
  readonly category: string;
  readonly text: string;
  /** When it holds from; it goes before `saidAt`. */
  readonly validFrom?: number | string | Date | null;
  readonly saidAt?: number | string | Date | null;
}

/** "[category] text (8 May 2023)": a memory as it is returned, with its time (SYS §6, decision 29). */
export function renderBullet({ category, text, validFrom, saidAt }: BulletInput): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const day = renderDay(validFrom ?? saidAt ?? null);
  const isTold = day === '' || line.endsWith(`(${day})`);
  return `[${category}] ${line}${isTold ? '' : ` (${day})`}`;
}
