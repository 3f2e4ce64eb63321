import type { Delivery, EventKind, Webhook } from '@mneme/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { Copyable } from '../../copy.tsx'
import { change, reloadShown, useData } from '../../data.ts'
import { Act, Narrow } from '../../forms.tsx'
import { type List, Listed, usePage } from '../../paged.tsx'
import { Badge, Button, Card, type Column, Facts, Notice, Time, Two, told } from '../../parts.tsx'

/** The API counts the deliveries of a webhook up to this number. */
const COUNTED_MAX = 10_000

type Count = { total: number }

/** How many deliveries of a webhook wait, and how many were given up. */
export function useCounts(path: string | undefined) {
  const counted = (status: string) =>
    useData<Count>(path && `${path}/deliveries`, { status, page_size: 1 }, { isLive: true })
  const waiting = counted('PENDING')
  const failed = counted('FAILED')
  return { waiting: waiting.data?.total, failed: failed.data?.total }
}

const isPending = ({ status }: Delivery) => status === 'PENDING'
const anyPending = ({ data }: List<Delivery>) => data.some(isPending)

interface DeliveriesProps {
  readonly path: string
  readonly of: Webhook
  readonly kinds: readonly EventKind[]
}

/** What was sent to a receiver, and what it answered. */
export function Deliveries({ path, of, kinds }: DeliveriesProps) {
  const { status, event } = useAddress().query
  const deliveries = usePage<List<Delivery>>(`${path}/deliveries`, { status, event }, { goesOn: anyPending })
  const [result, setResult] = useState<Delivery>()
  const pending = deliveries.data?.data.filter(isPending).length
  const before = useRef(pending)
  useEffect(() => {
    if (before.current !== undefined && pending !== undefined && before.current !== pending) void reloadShown()
    before.current = pending ?? before.current
  }, [pending])
  const test = async () => {
    setResult(undefined)
    setResult(await change<Delivery>('POST', `${path}/test`, { body: {} }))
  }
  const again = ({ id }: Delivery) => change('POST', `${path}/deliveries/${id}/redeliver`, { body: {} })
  const columns: Column<Delivery>[] = [
    ['Event', delivery => <Event of={delivery} url={of.url} label={labelOf(kinds, delivery.event)} />],
    ['Status', standingOf],
    ['Answer', answerOf],
    ['Attempts', ({ attempts }) => attempts, 'number'],
    ['Time', ({ created_at }) => <Time at={created_at} />],
    ['', delivery => <Again of={delivery} work={() => again(delivery)} />],
  ]
  const none = status || event ? NONE_FITS : NONE_SENT
  const events = { '': 'All', ...Object.fromEntries(kinds.map(({ event, label }) => [event, label])), [TEST]: 'Test' }
  const fields = [
    { label: 'Status', name: 'status', options: STATUSES },
    { label: 'Event', name: 'event', options: events },
  ]
  return (
    <Card title="Deliveries" isStack>
      <div class="head">
        <Narrow label="Filters" fields={fields} />
        <div class="row">
          <Button label="Refresh" onClick={() => void reloadShown()} />
          <Act label="Send a test" work={test} />
        </div>
      </div>
      {result && <Notice kind={result.status === 'SUCCEEDED' ? 'good' : 'bad'} text={resultOf(result)} />}
      <Listed label="Deliveries" from={deliveries} columns={columns} none={none} />
      {(deliveries.data?.total ?? 0) >= COUNTED_MAX && <p class="quiet">Deliveries are counted up to 10,000.</p>}
    </Card>
  )
}

const labelOf = (kinds: readonly EventKind[], event: string) =>
  kinds.find(kind => kind.event === event)?.label ?? (event === TEST ? 'Test' : event)

function resultOf({ response_code, error, duration_ms }: Delivery): string {
  const answer = error ?? `The receiver answered with ${response_code}.`
  return duration_ms === null ? answer : `${answer} It took ${told(duration_ms)} ms.`
}

const TEST = 'webhook.test'
const STATUSES = { '': 'All', PENDING: 'Waiting or retrying', SUCCEEDED: 'Delivered', FAILED: 'Given up' }

const NONE_FITS = 'No delivery fits. Choose another status or event.'
const NONE_SENT =
  'Nothing sent yet. Each event of the chosen kinds is listed here with the answer of the receiver, for 30 days. Send a test to see one.'

/** What happened, and what was sent of it: bodies are not kept, and made anew of the event for each attempt. */
function Event({ of, url, label }: { of: Delivery; url: string; label: string }) {
  const { id, event, response_body } = of
  return (
    <>
      {label}
      <details>
        <summary>Request and response</summary>
        <Facts
          of={[
            ['Request', <code key="request">POST {url}</code>],
            ['webhook-id', <Copyable key="id" text={id} />],
            ['Kind', <code key="kind">{event}</code>],
            ['Response', response_body ? <pre dir="auto">{response_body}</pre> : 'The answer has no body.'],
          ]}
        />
      </details>
    </>
  )
}

/** The state as an operator means it. */
function standingOf({ status, attempts, next_attempt_at }: Delivery) {
  if (status === 'SUCCEEDED') return <Badge kind="good">Delivered</Badge>
  if (status === 'FAILED') return <Badge kind="bad">Given up</Badge>
  const next = next_attempt_at && (
    <>
      next attempt <Time at={next_attempt_at} />
    </>
  )
  return <Two text={<Badge kind="warn">{attempts > 0 ? 'Retrying' : 'Waiting'}</Badge>} below={next} />
}

function answerOf({ response_code, error, duration_ms }: Delivery) {
  const took = duration_ms === null ? '' : `${told(duration_ms)} ms`
  const parts = [response_code === null ? '' : `Status ${response_code}`, took].filter(Boolean)
  return <Two text={<span class="whole">{parts.join(', ') || '–'}</span>} below={error} />
}

function Again({ of: { event, status, created_at }, work }: { of: Delivery; work: () => Promise<unknown> }) {
  const label = status === 'PENDING' ? 'Send now' : 'Send again'
  const named = `${label}: ${event} of ${new Date(created_at).toLocaleString('en-GB')}`
  return <Act label={label} work={work} aria-label={named} />
}
