import type { Alert } from '@mneme/client'
import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Icon } from '../../icons.tsx'
import { Badge, Card, Fault, Time } from '../../parts.tsx'
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
      <ul class="alerts">
        {lasting.map(alert => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ul>
      {resolved.length > 0 && (
        <details>
          <summary>
            {resolved.length === 1 ? 'One alert is resolved' : `${resolved.length} alerts are resolved`}
          </summary>
          <ul class="alerts">
            {resolved.map(alert => (
              <Row key={alert.id} alert={alert} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

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
