import { html } from './html.js';
import { renderDuration, renderInstant } from './render-time.js';

describe('pages', () => {
  it('escape what is no HTML, and leave out nothing but null', () => {
    const inner = html`<b>${'<script>"&\''}</b>`;
    expect(inner.text).toBe('<b>&#60;script&#62;&#34;&#38;&#39;</b>');
    expect(html`${inner}${null}${undefined}${0}${['<', inner]}`.text).toBe(`${inner.text}0&#60;${inner.text}`);
  });

  it('show durations in their two largest units, and instants in UTC', () => {
    const durations = [0, 999, 1_000, 61_000, 3_600_000, 12_345_678, 90_000_000];
    expect(durations.map(renderDuration)).toEqual(['0 s', '0 s', '1 s', '1 min 1 s', '1 h', '3 h 25 min', '1 d 1 h']);
    expect(renderInstant(Date.UTC(2026, 0, 5, 6, 7, 8, 9))).toBe('2026-01-05 06:07:08 UTC');
  });
});
