import { html } from '../../library.js'
import { Badge, Card } from '../../parts.tsx'

/** Shows the figures of the period beside those of the period before, and how much of the plan is used. */
export function Figures({ summary, days }) {
  const { memories, requests, search_quality, zero_result_rate, memories_masked, quota } = summary
  const isSearched = search_quality.current > 0 || zero_result_rate.current > 0
  return html`
    <div class="grid">
      <${Figure} title="Memories created" figure=${memories} days=${days} format=${counted} none="None" />
      <${Figure} title="API requests" figure=${requests} days=${days} format=${counted} none="None" />
      <${Figure}
        title="Average score of first results"
        figure=${search_quality}
        days=${days}
        format=${scored}
        none="No score"
        missing=${isSearched ? search_quality.current === 0 && NOTHING_FOUND : NO_SEARCH}
      />
      <${Figure}
        title="Searches without a result"
        figure=${zero_result_rate}
        days=${days}
        format=${shared}
        none="No such search"
        missing=${!isSearched && NO_SEARCH}
      />
      ${
        memories_masked.current + memories_masked.previous_period > 0 &&
        html`<${Figure} title="Memories with secrets masked" figure=${memories_masked} days=${days} format=${counted} none="None" />`
      }
    </div>
    <${Usage} quota=${quota} />
  `
}

const NO_SEARCH = 'Nothing was searched for in this period.'
const NOTHING_FOUND = 'No search of this period found anything.'

function Figure({ title, figure, days, format, none, missing }) {
  return html`<${Card} title=${title}>
    <div class="figure">${missing ? '–' : format(figure.current)}</div>
    <p class="quiet">${missing || changeOf(figure, days, none)}</p>
    ${
      typeof figure.target === 'number' &&
      html`<p>
        Target ${format(figure.target)}${' '}
        ${!missing && html`<${Badge} kind=${KINDS[figure.status]}>${standOf(figure)}<//>`}
      </p>`
    }
  <//>`
}

const KINDS = { OK: 'good', WARNING: 'warn', CRITICAL: 'bad' }

function standOf({ current, target, status }) {
  if (current >= target) return 'reached'
  return { OK: 'nearly reached', WARNING: 'below', CRITICAL: 'far below' }[status]
}

function changeOf({ current, previous_period, delta_pct, direction }, days, none) {
  const before = `in the ${days} days before`
  if (previous_period === 0) return `${none} ${before}.`
  if (current === previous_period) return `The same as ${before}.`
  if (delta_pct === null) return 'Nothing was measured in this period.'
  const change = counted(Math.abs(delta_pct))
  return direction === 'UP' ? `▲ ${change} % more than ${before}.` : `▼ ${change} % less than ${before}.`
}

function Usage({ quota }) {
  return html`<${Card} title="In use">
    <div class="grid">
      <${Share} name="Memories" used=${quota.memories_used} limit=${quota.memories_limit} />
      <${Share} name="Requests this month" used=${quota.requests_used} limit=${quota.requests_limit} />
      <${Share} name="Model tokens this month" used=${quota.tokens_used} limit=${quota.tokens_limit} />
    </div>
  <//>`
}

function Share({ name, used, limit }) {
  if (limit === null)
    return html`<div><strong>${counted(used)}</strong> <span class="quiet">${name}, without limit</span></div>`
  return html`<div>
    <strong>${counted(used)}</strong> <span class="quiet">${name}, of ${counted(limit)}</span><br />
    <meter min="0" max=${limit} high=${limit * 0.8} value=${used} aria-label=${name}></meter>
  </div>`
}

const counted = number => number.toLocaleString('en', { maximumFractionDigits: 1 })
const scored = number => number.toFixed(2)
const shared = number => `${counted(number * 100)} %`
