import { call } from '../../api.ts'
import { Chart } from '../../chart.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Empty, Loaded } from '../../parts.tsx'
import { useLoaded } from '../../use-loaded.ts'
import { counted } from '../memories/texts.ts'
import { midnight, periodOf, ZONE } from '../overview/period.js'

/** Shows the figures of all searches of the period, and the same over its parts. */
export function Quality({ days }) {
  const quality = useData('/v1/dashboard/quality', periodOf(days))
  return html`<${Loaded} from=${quality}>
    ${data =>
      data.total_searches === 0
        ? html`<${Empty} title="Nothing was searched for in this period">
            When an agent or a program searches, the score of its first result and the searches without a result are
            shown here.
          <//>`
        : html`
            <${Figures} quality=${data} />
            <${Parts} days=${days} />
          `}
  <//>`
}

function Figures({ quality: { total_searches, avg_search_score, zero_result_rate } }) {
  return html`<div class="grid">
    <${Card} title="Searches"><div class="figure">${total_searches.toLocaleString('en')}</div><//>
    <${Card} title="Average score of first results">
      <div class="figure">${scored(avg_search_score)}</div>
      <p class="quiet">From 0 to 1. From 0.66 on, a result fits well.</p>
    <//>
    <${Card} title="Searches without a result">
      <div class="figure">${shared(zero_result_rate)}</div>
      <p class="quiet">${counted(Math.round(total_searches * zero_result_rate), 'search', 'searches')}.</p>
    <//>
  </div>`
}

function Parts({ days }) {
  const parts = useLoaded(`${days}`, () => readParts(days))
  return html`<${Loaded} from=${parts}>
    ${data => {
      const searches = data.map(part => ({ ...part, value: part.total_searches }))
      const without = data.map(part => ({ ...part, value: part.zero_result_rate, text: noneOf(part.total_searches) }))
      const score = data.map(part => ({ ...part, value: part.avg_search_score, text: noneOf(part.avg_search_score) }))
      return html`<div class="columns">
        <${Chart} title="Average score" about=${ABOUT_SCORE} points=${score} top=${1} format=${scored} />
        <${Chart} title="Share without a result" about=${ABOUT_ZERO} points=${without} top=${1} format=${shared} />
        <${Chart} title="Number of searches" about=${ABOUT_COUNT} points=${searches} />
      </div>`
    }}
  <//>`
}

/** Returns a dash where nothing was measured, which is no score of 0. */
const noneOf = measured => (measured === 0 ? '–' : undefined)

const ABOUT_SCORE = 'The score of the first results. There is no bar where nothing was found.'
const ABOUT_ZERO = 'Of all searches, those that found nothing.'
const ABOUT_COUNT = 'All searches, also those without a result.'

/** Each part has so many days that no period has more than about a dozen. */
const PART_DAYS = new Map([
  [7, 1],
  [30, 3],
  [90, 9],
  [365, 31],
])

/** The figures are given for a whole period, so each part is a period of its own. */
async function readParts(days) {
  return Promise.all(
    partsOf(days).map(async ({ start, end, title }) => {
      const query = { start_date: start.toISOString(), end_date: end.toISOString(), timezone: ZONE }
      return { key: start.toISOString(), title, ...(await call('GET', '/v1/dashboard/quality', { query })) }
    }),
  )
}

/** Returns parts of whole days of the reader, the oldest first: the last ends now, the first may be shorter. */
function partsOf(days) {
  const size = PART_DAYS.get(days) ?? days
  const parts = []
  for (let last = 0; last > -days; last -= size) {
    const first = Math.max(last - size, -days) + 1
    const end = last === 0 ? new Date() : midnight(last + 1)
    parts.unshift({ start: midnight(first), end, title: titleOf(first, last) })
  }
  return parts
}

function titleOf(first, last) {
  const begin = DAY.format(midnight(first))
  return first === last ? begin : `${begin} to ${DAY.format(midnight(last))}`
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

const scored = score => score.toFixed(2)
const shared = share => `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`
