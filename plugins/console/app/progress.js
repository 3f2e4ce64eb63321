import { html } from './library.js'

/** Tells whether the service still works on a job, an export or an import. */
export const isUnderWay = ({ status }) => status === 'PENDING' || status === 'PROCESSING'

/** Tells whether a list holds something that the service still works on. */
export const anyUnderWay = ({ data }) => data.some(isUnderWay)

/**
 * A bar with its numbers below; where the total is unknown it only shows that something happens.
 *
 * @param {{label: string, done: number, total: number | null, told?: (count: number) => string, unit?: string}} props
 */
export function Progress({ label, done, total, told = count => count.toLocaleString('en'), unit = '' }) {
  if (!total) return html`<progress aria-label=${label}></progress>`
  return html`<progress aria-label=${label} max=${total} value=${done}></progress>
    <br /><small class="quiet">${told(done)} of ${told(total)} ${unit}</small>`
}

const STEP = 1024
const UNITS = ['bytes', 'KB', 'MB', 'GB']

/** @param {number} bytes told as people read it: `1.5 MB` */
export function sizeOf(bytes) {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)))
  const amount = bytes / STEP ** step
  return `${amount.toLocaleString('en', { maximumFractionDigits: step === 0 || amount >= 10 ? 0 : 1 })} ${UNITS[step]}`
}
