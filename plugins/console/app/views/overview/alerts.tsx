import type { Alert, Activity as Happened } from '@mneme/client'
import { Link, useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Narrow } from '../../forms.tsx'
import { Icon } from '../../icons.tsx'
import { type List, Listed, usePage } from '../../paged.tsx'
import { Badge, Card, type Column, Fault, Time } from '../../parts.tsx'
import type { Page } from '../../session.ts'
import { ZONE } from './period.tsx'

/** Lists what needs attention now, with what to do, and what did in the period. */
export function Alerts({ days }: { readonly days: number }) {
  const { data = [], error } = useData<Alert[]>('/v1/dashboard/alerts', { days, timezone: ZONE }, { isLive: true })
  const lasting = data.filter(({ resolved_at }) => resolved_at === null)
  const resolved = data.filter(({ resolved_at }) => resolved_at !== null)
  if (error) return <Fault error={error} />
  if (data.length === 0) return null
  return (
    <Card title={lasting.length > 0 ? 'Needs attention' : undefined} aria-label="Alerts">
      <Rows alerts={lasting} />
      {resolved.length > 0 && (
        <details>
          <summary>
            {resolved.length === 1 ? 'One alert is resolved' : `${resolved.length} alerts are resolved`}
          </summary>
          <Rows alerts={resolved} />
        </details>
      )}
    </Card>
  )
}

const Rows = ({ alerts }: { alerts: readonly Alert[] }) => (
  <ul class="alerts">
    {alerts.map(alert => (
      <Row key={alert.id} alert={alert} />
    ))}
  </ul>
)

const KINDS = { INFO: 'info', WARNING: 'warn', CRITICAL: 'bad' } as const

const PLACES: Readonly<Record<string, { to: string; title: string }>> = {
  QUOTA_WARNING: { to: '/settings', title: 'See the plan' },
  SEARCH_QUALITY_DROP: { to: '/searches', title: 'See weak searches' },
  ZERO_RESULT_SPIKE: { to: '/searches', title: 'See searches without results' },
  PROCESSING_FAILURES: { to: '/memories?status=FAILED', title: 'See what failed' },
  WEBHOOK_FAILING: { to: '/webhooks', title: 'See the webhooks' },
}

function Row({ alert: { type, severity, title, message, created_at, resolved_at } }: { readonly alert: Alert }) {
  const place = PLACES[type]
  return (
    <li class="alert-row">
      <Badge kind={resolved_at ? 'plain' : KINDS[severity]}>{severity}</Badge>
      <span class="grow">
        <b>{title}</b>{' '}
        <span class="quiet" dir="auto">
          {message}
        </span>
      </span>
      <span class="quiet">
        <Time at={created_at} />
        {resolved_at && (
          <>
            {' to '}
            <Time at={resolved_at} />
          </>
        )}
      </span>
      {place && !resolved_at && (
        <Link to={place.to} class="whole">
          {place.title} <Icon name="arrow" />
        </Link>
      )}
    </li>
  )
}

/** Lists what happened in the workspace, newest first. */
export function Activity({ pages }: { readonly pages: readonly Page[] }) {
  const { query } = useAddress()
  const part = PARTS[query.about ?? '']
  const known = Object.entries(PARTS).filter(([, { of }]) => pages.some(({ id }) => id === of))
  const parts = { '': 'Everything', ...Object.fromEntries(known.map(([name, { title }]) => [name, title])) }
  const asked = { event_type: part?.kinds, user_id: query.user_id }
  const events = usePage<List<Happened>>('/v1/dashboard/activity', asked, { pageSize: 10, sizeName: 'limit' })
  const fields = [
    { label: 'About', name: 'about', options: parts },
    { label: 'User', name: 'user_id', placeholder: 'All users' },
  ]
  const none = part || query.user_id ? NONE_FITS : NONE
  return (
    <Card title="Latest activity">
      <Narrow label="Filters of the activity" fields={fields} />
      <Listed label="Latest activity" from={events} columns={COLUMNS} none={none} />
    </Card>
  )
}

const NONE_FITS = 'Nothing happened that fits. Choose something else under “About”, or another user.'
const NONE =
  'Nothing has happened yet. Memories that are stored, changed and deleted are listed here, with other events.'

const kindsOf = (subject: string, verbs: string) => verbs.split(' ').map(verb => `${subject}.${verb}`)

interface Part {
  readonly title: string
  readonly of: string
  readonly kinds: readonly string[]
}

/** Events are chosen by what they are about, those of a page only where the workspace has it. */
const PARTS: Readonly<Record<string, Part>> = {
  memories: {
    title: 'Memories',
    of: 'memories',
    kinds: kindsOf('memory', 'created updated deleted expired promoted consolidated restored masked'),
  },
  feedback: { title: 'Feedback', of: 'memories', kinds: ['memory.feedback'] },
  knowledge: { title: 'Knowledge', of: 'knowledge', kinds: ['knowledge.updated'] },
  documents: { title: 'Files and pages', of: 'imports', kinds: kindsOf('ingest', 'completed failed') },
  templates: { title: 'Templates', of: 'templates', kinds: ['template.applied'] },
  exports: { title: 'Exports', of: 'transfers', kinds: ['export.completed'] },
  webhooks: { title: 'Webhooks', of: 'webhooks', kinds: kindsOf('webhook', 'created failed recovered') },
  keys: { title: 'API keys', of: 'keys', kinds: kindsOf('key', 'created revoked') },
}

const COLUMNS: readonly Column<Happened>[] = [
  ['Event', event => <Event of={event} />],
  ['User', ({ user_id }) => <bdi class="clipped">{user_id ?? '–'}</bdi>],
  ['By', ({ actor }) => <bdi class="clipped">{actor ? (actor.name ?? 'somebody who is gone') : '–'}</bdi>],
  ['Time', ({ created_at }) => <Time at={created_at} />],
]

const GONE = new Set(['memory.deleted', 'memory.expired'])

const EVENT_PLACES: Readonly<Record<string, (id: string) => string>> = {
  memory: id => `/memories/${id}`,
  ingest: id => `/imports/${id}`,
  knowledge: () => '/knowledge',
  template: () => '/templates',
  export: () => '/transfers',
  webhook: id => `/webhooks/${id}`,
  key: () => '/keys',
}

function Event({ of: { event_type, label, resource_id } }: { of: Happened }) {
  const placeOf = EVENT_PLACES[event_type.split('.')[0] ?? '']
  if (!placeOf || !resource_id || GONE.has(event_type)) return <>{label}</>
  return <Link to={placeOf(resource_id)} text={label} />
}
