import { html } from './library.js'

/**
 * Lists names with bars of different lengths.
 *
 * @param {{label: string, rows: {key: string, name: unknown, share: number, text: string}[]}} props `share` is the
 * length from 0 to 1; a share below 0 is drawn as a loss
 */
export function Bars({ label, rows }) {
  return html`<ul class="bars" aria-label=${label}>
    ${rows.map(
      ({ key, name, share, text }) => html`<li key=${key}>
        <div class="bars-row"><span>${name}</span><span class="number">${text}</span></div>
        <svg class=${share < 0 ? 'bar loss' : 'bar'} width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" fill="currentColor" opacity="0.12" />
          <rect width=${`${Math.min(100, Math.abs(share) * 100)}%`} height="6" rx="3" fill="currentColor" />
        </svg>
      </li>`,
    )}
  </ul>`
}
