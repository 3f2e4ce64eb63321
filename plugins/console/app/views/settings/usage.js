import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Loaded, Table } from '../../parts.tsx'

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** What the workspace uses of its plan. */
export function Usage() {
  const summary = useData('/v1/dashboard/summary')
  return html`<${Card} title="Usage">
    <${Loaded} from=${summary}>
      ${({ quota }) => html`
        <${Table} label="Usage of the plan" columns=${COLUMNS} rows=${rowsOf(quota)} keyOf=${({ title }) => title} />
        <p class="quiet">Months are those of UTC.</p>
      `}
    <//>
  <//>`
}

function rowsOf(quota) {
  return [
    { title: 'Memories', used: quota.memories_used, limit: quota.memories_limit },
    { title: 'Requests this month', used: quota.requests_used, limit: quota.requests_limit },
    { title: 'Model tokens this month', used: quota.tokens_used, limit: quota.tokens_limit },
  ]
}

const COLUMNS = [
  { title: 'Of', cell: ({ title }) => title },
  { title: 'Used', cell: ({ used }) => used.toLocaleString('en'), isNumber: true },
  { title: 'Limit', cell: ({ limit }) => (limit === null ? 'None' : limit.toLocaleString('en')), isNumber: true },
  { title: 'Share', cell: row => html`<${Share} of=${row} />`, isNumber: true },
]

function Share({ of: { title, used, limit } }) {
  if (!limit) return '–'
  return html`<meter aria-label=${`Share of ${title}`} value=${used} max=${limit} high=${0.8 * limit} optimum="0" />
    ${' '}${PERCENT.format(used / limit)}`
}
