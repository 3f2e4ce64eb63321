import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Badge, Card, Fault, Notice, Table, Time } from '../../parts.tsx'
import { ZONE } from './period.js'

/** Shows what needs attention now, and what did in the period. */
export function Alerts({ days }) {
  const { data = [], error } = useData('/v1/dashboard/alerts', { days, timezone: ZONE })
  const lasting = data.filter(({ resolved_at }) => resolved_at === null)
  const resolved = data.filter(({ resolved_at }) => resolved_at !== null)
  return html`
    <${Fault} error=${error} />
    ${lasting.map(alert => html`<${Alert} key=${alert.id} alert=${alert} />`)}
    ${resolved.length > 0 && html`<${Resolved} alerts=${resolved} />`}
  `
}

const KINDS = { INFO: 'info', WARNING: 'warn', CRITICAL: 'bad' }

const PLACES = {
  QUOTA_WARNING: { to: '/settings', title: 'See the settings' },
  SEARCH_QUALITY_DROP: { to: '/searches', title: 'See which searches are weak' },
  ZERO_RESULT_SPIKE: { to: '/searches', title: 'See which searches find nothing' },
  PROCESSING_FAILURES: { to: '/memories?status=FAILED', title: 'See the memories' },
  PROCESSING_BACKLOG: { to: '/', title: 'See what waits' },
  WEBHOOK_FAILING: { to: '/webhooks', title: 'See the webhooks' },
}

function Alert({ alert: { type, severity, title, message, created_at } }) {
  const place = PLACES[type]
  return html`<${Notice} kind=${KINDS[severity]}>
    <p><strong>${title}</strong></p>
    <p dir="auto">${message}</p>
    <p class="quiet">
      Since <${Time} at=${created_at} />. ${place && html`<${Link} to=${place.to}>${place.title}<//>`}
    </p>
  <//>`
}

const COLUMNS = [
  { title: 'Alert', cell: ({ title }) => title },
  { title: 'Severity', cell: ({ severity }) => html`<${Badge} kind=${KINDS[severity]}>${severity}<//>` },
  { title: 'Began', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
  { title: 'Resolved', cell: ({ resolved_at }) => html`<${Time} at=${resolved_at} />` },
]

function Resolved({ alerts }) {
  const words = alerts.length === 1 ? 'One alert of this period is resolved' : `${alerts.length} alerts are resolved`
  return html`<${Card}>
    <details>
      <summary>${words}</summary>
      <${Table} label="Resolved alerts" columns=${COLUMNS} rows=${alerts} />
    </details>
  <//>`
}
