import type { EventKindPage, Webhook, WebhookWithSecret } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, navigate, thenLeave, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { ShownOnce } from '../copy.tsx'
import { change, type Loading, useData } from '../data.ts'
import { Act, Ask, Boxes, Check, Field, ifOther, tickedIn, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Badge, Card, type Column, Detail, DropDown, Facts, Head, Loaded, Notice, Time, Two, told } from '../parts.tsx'
import { counted } from './memories/memory.ts'
import { Deliveries, useCounts } from './webhooks/deliveries.tsx'

const ALL = '*'

type Kinds = Loading<EventKindPage>

/** The webhooks of the workspace, or the one that the address names. A secret is held here until it has been seen. */
export function Webhooks() {
  const { parts } = useAddress()
  const [shown, setShown] = useState<WebhookWithSecret>()
  const kinds = useData<EventKindPage>('/v1/webhooks/events', { page_size: 100 })
  const id = parts[1]
  if (id === undefined) return <All kinds={kinds} onSecret={setShown} />
  const secret = shown?.id === id ? shown.secret : undefined
  return <One key={id} id={id} kinds={kinds} secret={secret} onSecret={setShown} />
}

type AllProps = { kinds: Kinds; onSecret: (webhook: WebhookWithSecret) => void }

function All({ kinds, onSecret }: AllProps) {
  const webhooks = usePage<List<Webhook>>('/v1/webhooks', {}, { isLive: true })
  const create = async (values: Values, form: HTMLFormElement) => {
    const place = location.pathname
    const events = tickedIn(form, 'events', CHOOSE_SOME)
    const body = { ...fieldsOf(values), events, active: values.active !== undefined }
    const made = await call<WebhookWithSecret>('POST', '/v1/webhooks', { body })
    onSecret(made)
    if (location.pathname === place) navigate(`/webhooks/${made.id}`)
  }
  return (
    <>
      <Head title="Webhooks" about="The service sends events of this workspace to these addresses, as signed JSON.">
        <Ask label="Create a webhook" action="Create the webhook" kind="first" act={create}>
          <Fields kinds={kinds} />
        </Ask>
      </Head>
      <Listed label="Webhooks" from={webhooks} columns={COLUMNS} none={NONE} />
    </>
  )
}

const NONE =
  'No webhooks yet. A webhook tells an address of yours when a memory is stored, changed or deleted. Create one with the button above.'

const COLUMNS: readonly Column<Webhook>[] = [
  [
    'Receiver',
    ({ id, url, description }) => (
      <Two text={<Link to={`/webhooks/${id}`} class="wrap" text={url} />} below={description} />
    ),
  ],
  ['State', webhook => <State of={webhook} />],
  ['Events', ({ events }) => eventsOf(events)],
  ['Last success', ({ last_success_at }) => <Time at={last_success_at} />],
]

function eventsOf(events: readonly string[]): string {
  if (events.includes(ALL)) return 'All'
  const more = events.length - 2
  return `${events.slice(0, 2).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Whether events arrive, and what becomes of those that do not. */
function State({ of: { id, active, failing_since, last_success_at } }: { of: Webhook }) {
  const { waiting, failed } = useCounts(failing_since ? `/v1/webhooks/${id}` : undefined)
  return (
    <>
      {!active && <Badge kind="warn">Paused</Badge>} {failing_since && <Badge kind="bad">Failing</Badge>}
      {active && !failing_since && (
        <Badge kind={last_success_at ? 'good' : 'info'}>{last_success_at ? 'Working' : 'No success yet'}</Badge>
      )}
      {failing_since && (
        <small class="quiet block">
          since <Time at={failing_since} />
          {waiting ? `, ${told(waiting)} retrying` : ''}
          {failed ? `, ${told(failed)} given up` : ''}
        </small>
      )}
    </>
  )
}

type OneProps = AllProps & { id: string; secret: string | undefined; onSecret: (webhook?: WebhookWithSecret) => void }

/** A webhook with its deliveries. */
function One({ id, kinds, secret, onSecret }: OneProps) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  return (
    <Detail<Webhook> back={['/webhooks', 'All webhooks']} path={path} isLive>
      {data => (
        <>
          <Head title={data.url} about={data.description}>
            <Actions path={path} of={data} kinds={kinds} onSecret={onSecret} />
          </Head>
          {secret && (
            <ShownOnce
              title="Copy the signing secret"
              text={secret}
              label="Copy the secret"
              onSeen={() => onSecret(undefined)}
            >
              <p>{SIGNED}</p>
            </ShownOnce>
          )}
          <Troubles path={path} of={data} />
          <Deliveries path={path} of={data} kinds={kinds.data?.data ?? []} />
          <About of={data} kinds={kinds} />
        </>
      )}
    </Detail>
  )
}

const SIGNED =
  'Your receiver checks the header webhook-signature with it (Standard Webhooks), and so knows that a delivery comes from this service and was not changed on its way.'

type ActionsProps = { path: string; of: Webhook; kinds: Kinds } & Pick<AllProps, 'onSecret'>

function Actions({ path, of: { active, events, url, description }, kinds, onSecret }: ActionsProps) {
  const edit = (values: Values, form: HTMLFormElement) => {
    // Kinds that cannot be chosen yet stay as they are.
    const chosen = kinds.data ? ifOther(tickedIn(form, 'events', CHOOSE_SOME), events) : undefined
    return change('PATCH', path, { body: { ...fieldsOf(values), events: chosen } })
  }
  const rotate = async () => {
    onSecret(await change('POST', `${path}/rotate-secret`, { body: {} }))
  }
  const remove = () => thenLeave(call('DELETE', path), () => '/webhooks')
  return (
    <>
      <Act label={active ? 'Pause' : 'Resume'} work={() => change('PATCH', path, { body: { active: !active } })} />
      <Ask label="Edit" title="Edit the webhook" action="Save the webhook" act={edit}>
        <Fields kinds={kinds} given={{ url, events, description }} />
      </Ask>
      <DropDown icon="more" name="Further actions">
        <Ask label="Rotate the secret" kind="plain" question={ROTATION} act={rotate} />
        <Ask label="Delete" question={DELETION} act={remove} />
      </DropDown>
    </>
  )
}

const ROTATION =
  'A new secret is made and shown once. For 24 hours webhook-signature holds a signature with each of the two, so that receivers can change over; X-Webhook-Signature has the new one at once.'
const DELETION = 'The webhook is deleted with the record of its deliveries. Those that wait are not sent.'
const CHOOSE_SOME = 'Choose at least one kind of event.'

/** What keeps events from the receiver, and what can be done about it. */
function Troubles({ path, of }: { path: string; of: Webhook }) {
  const { active, failing_since } = of
  const { waiting = 0, failed = 0 } = useCounts(path)
  const [said, setSaid] = useState('')
  const resend = async ({ hours }: Values) => {
    const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
    const { message } = await change<{ message: string }>('POST', `${path}/redeliver`, { body: { since } })
    setSaid(message)
  }
  const retried = counted(waiting, 'delivery is', 'deliveries are')
  return (
    <>
      {!active && <Notice kind="warn" text={PAUSE} />}
      {failing_since && (
        <Notice kind="bad">
          <p>
            Nothing has arrived since <Time at={failing_since} />.{' '}
            {waiting > 0 && `${retried} retried for up to 24 hours, then given up. `}
            Mend the receiver, then send a test.
          </p>
        </Notice>
      )}
      {failed > 0 && (
        <Notice kind="warn">
          <div class="row">
            <span class="grow">
              {counted(failed, 'event was', 'events were')} missed: given up after the last attempt.{' '}
              <Link to={`/webhooks/${of.id}?status=FAILED`} text="Show what was missed" />
            </span>
            <Ask label="Send all missed again" action="Send again" act={resend}>
              <p>Each delivery that has failed gets another round of attempts, the oldest first. Tests are left out.</p>
              <Field label="Events of" name="hours" options={PERIODS} value="720" />
            </Ask>
          </div>
        </Notice>
      )}
      {said && <Notice kind="good" text={said} />}
    </>
  )
}

const PAUSE =
  'While it is paused, new events are not delivered. Waiting deliveries are sent if it is resumed within 24 hours.'

const HOUR_MS = 3_600_000

const PERIODS = { 1: 'the last hour', 24: 'the last day', 168: 'the last week', 720: 'the last 30 days' }

/** What the webhook gets, with an example for each kind of event. */
function About({ of, kinds }: { of: Webhook; kinds: Kinds }) {
  const { events, last_success_at, previous_secret_until, created_at } = of
  return (
    <div class="columns">
      <Card title="The webhook">
        <Facts
          of={[
            ['Events', events.includes(ALL) ? 'All' : events.join(', ')],
            ['Last success', <Time key="success" at={last_success_at} />],
            ['Created', <Time key="created" at={created_at} />],
            ['Former secret holds until', previous_secret_until && <Time at={previous_secret_until} />],
          ]}
        />
      </Card>
      <Card title="Examples of what is sent">
        <Loaded from={kinds}>
          {({ data }) =>
            data
              .filter(({ event }) => events.includes(ALL) || events.includes(event))
              .map(({ event, label, example }) => (
                <details key={event}>
                  <summary>
                    {label} <code>{event}</code>
                  </summary>
                  <pre>{JSON.stringify(example, null, 2)}</pre>
                </details>
              ))
          }
        </Loaded>
      </Card>
    </div>
  )
}

const fieldsOf = ({ url = '', description = '' }: Values) => ({
  url: url.trim(),
  description: description.trim() || null,
})

/** The fields of a new webhook, or of the one that is given. */
function Fields({ kinds, given }: { kinds: Kinds; given?: Pick<Webhook, 'url' | 'events' | 'description'> }) {
  const [takesAll, setAll] = useState(given?.events.includes(ALL) ?? false)
  return (
    <>
      <Field
        label="Address of the receiver"
        name="url"
        type="url"
        required
        placeholder="https://example.com/hooks/mneme"
        defaultValue={given?.url ?? ''}
        hint="Events are posted here. It must be public, unless the service was started with ALLOW_PRIVATE_NETWORKS."
      />
      <Field
        label="Description"
        name="description"
        dir="auto"
        defaultValue={given?.description ?? ''}
        hint="It says what the webhook is for."
      />
      <Check
        name="events"
        value={ALL}
        label="All events, with those of later versions and plugins"
        defaultChecked={takesAll}
        onTicked={isTicked => setAll(isTicked)}
      />
      {!takesAll && (
        <Loaded from={kinds}>
          {({ data }) => (
            <Boxes legend="Events" name="events" options={boxesOf(data, given?.events)} chosen={given?.events ?? []} />
          )}
        </Loaded>
      )}
      {!given && <Check label="Send events at once" name="active" defaultChecked />}
    </>
  )
}

/** Kinds that were chosen stay to be seen, even when the service does not have them at present. */
function boxesOf(kinds: EventKindPage['data'], chosen: readonly string[] = []) {
  const listed = kinds.map(({ event, label, description }) => ({
    value: event,
    label: (
      <>
        {label} <code>{event}</code>
        <small class="quiet block">{description}</small>
      </>
    ),
  }))
  const unlisted = chosen.filter(event => event !== ALL && !kinds.some(kind => kind.event === event))
  return [
    ...listed,
    ...unlisted.map(event => ({ value: event, label: `${event}, which the service does not have at present` })),
  ]
}
