import { useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Badge, Button, Card, Loaded, Table } from '../../parts.tsx'
import { shortened } from '../memories/texts.ts'
import { ZONE } from '../overview/period.js'

const FIRST = 10
const MOST = 100

/** Lists queries that found nothing, those that found little, and those asked most. */
export function Queries({ days, onExplain }) {
  const { query, set } = useAddress()
  const limit = query.all ? MOST : FIRST
  const period = { days, limit, timezone: ZONE }
  const diagnosis = useData('/v1/dashboard/search-diagnosis', period)
  const top = useData('/v1/dashboard/top-queries', period)
  const lists = [diagnosis.data?.zero_result_queries, diagnosis.data?.worst_queries, top.data?.data]
  const isLonger = limit === FIRST && lists.some(list => list?.length === FIRST)
  return html`
    <${Card} title="Queries without a result">
      <${Loaded} from=${diagnosis}>${({ zero_result_queries }) => without(zero_result_queries, onExplain)}<//>
    <//>
    <${Card} title="Queries with weak results">
      <${Loaded} from=${diagnosis}>${({ worst_queries }) => weak(worst_queries, onExplain)}<//>
    <//>
    <${Card} title="Most frequent queries">
      <${Loaded} from=${top}>${({ data, total }) => frequent(data, total, onExplain)}<//>
    <//>
    ${isLonger && html`<div><${Button} onClick=${() => set({ all: 1 })}>Show up to ${MOST} of each<//></div>`}
  `
}

/** Shows the query, and below it what is wrong with it and what can be done. */
const QUERY = {
  title: 'Query',
  cell: ({ query, reason, advice }) => html`
    <span class="clipped" dir="auto" title=${query}>${query}</span>
    ${reason && html`<${Badge} kind=${REASONS[reason]?.kind}>${REASONS[reason]?.title ?? reason}<//> `}
    ${advice && html`<small class="quiet">${advice}</small>`}
  `,
}
const COUNT = { title: 'Searches', cell: ({ count }) => count.toLocaleString('en'), isNumber: true }
const SCORE = {
  title: 'Score',
  cell: ({ avg_score }) => (avg_score === 0 ? '–' : avg_score.toFixed(2)),
  isNumber: true,
}

function explain(onExplain) {
  return {
    title: 'Why',
    cell: ({ query }) => {
      const label = `Explain ${shortened(query, 60)}`
      return html`<${Button} kind="link" aria-label=${label} onClick=${() => onExplain(query)}>Explain<//>`
    },
  }
}

const REASONS = {
  FILTER_TOO_NARROW: { title: 'Filters too narrow', kind: 'warn' },
  EXCLUDED: { title: 'Excluded', kind: 'warn' },
  MATCHES_NOW: { title: 'Matches now', kind: 'good' },
  EXPIRED: { title: 'Expired', kind: 'warn' },
  NO_MATCH: { title: 'Nothing matches', kind: 'bad' },
}

function without(rows, onExplain) {
  if (rows.length === 0) return html`<p class="quiet">Every query of this period found something.</p>`
  return list('Queries without a result', [QUERY, COUNT, explain(onExplain)], rows)
}

function weak(rows, onExplain) {
  if (rows.length === 0) return html`<p class="quiet">No query of this period had weak results.</p>`
  return list('Queries with weak results', [QUERY, COUNT, SCORE, explain(onExplain)], rows)
}

function frequent(rows, total, onExplain) {
  if (rows.length === 0) return html`<p class="quiet">What agents and programs search for is listed here.</p>`
  return html`
    ${list('Most frequent queries', [QUERY, COUNT, SCORE, explain(onExplain)], rows)}
    ${total > rows.length && html`<p class="quiet">${total.toLocaleString('en')} different queries in all.</p>`}
  `
}

function list(label, columns, rows) {
  return html`<${Table} label=${label} columns=${columns} rows=${rows} keyOf=${({ query }) => query} />`
}
