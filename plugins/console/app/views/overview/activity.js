import { Link, useAddress } from '../../address.tsx'
import { Field, TextField } from '../../forms.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Card, Table, Time } from '../../parts.tsx'

const PAGE_SIZE = 10

/** Lists what happened in the workspace, newest first. */
export function Activity({ pages }) {
  const { query, set } = useAddress()
  const parts = PARTS.filter(({ of }) => of === undefined || pages.some(({ id }) => id === of))
  const part = parts.find(({ value }) => value !== '' && value === query.about)
  const asked = { event_type: part?.kinds, user_id: query.user_id }
  const events = usePage('/v1/dashboard/activity', asked, { pageSize: PAGE_SIZE, sizeName: 'limit' })
  return html`<${Card} title="Latest activity">
    <form class="inline" aria-label="Filters of the activity" onSubmit=${event => event.preventDefault()}>
      <${Field}
        label="About"
        name="about"
        options=${parts}
        value=${part?.value ?? ''}
        onChange=${event => set({ about: event.target.value })}
      />
      <${TextField}
        label="User"
        name="user_id"
        dir="auto"
        placeholder="All users"
        value=${query.user_id}
        onChange=${event => set({ user_id: event.target.value.trim() })}
      />
    </form>
    <${Paged} from=${events} none=${none(part, query.user_id)}>
      ${({ data }) => html`<${Table} label="Latest activity" columns=${COLUMNS} rows=${data} />`}
    <//>
  <//>`
}

/** Events are chosen by what they are about, those of a page only where the workspace has it. */
const PARTS = [
  { value: '', title: 'Everything' },
  {
    value: 'memories',
    title: 'Memories',
    of: 'memories',
    kinds: [
      'memory.created',
      'memory.updated',
      'memory.deleted',
      'memory.expired',
      'memory.promoted',
      'memory.consolidated',
      'memory.restored',
      'memory.masked',
    ],
  },
  { value: 'feedback', title: 'Feedback', of: 'memories', kinds: ['memory.feedback'] },
  { value: 'knowledge', title: 'Knowledge', of: 'knowledge', kinds: ['knowledge.updated'] },
  { value: 'documents', title: 'Files and pages', of: 'imports', kinds: ['ingest.completed', 'ingest.failed'] },
  { value: 'templates', title: 'Templates', of: 'templates', kinds: ['template.applied'] },
  { value: 'exports', title: 'Exports', of: 'transfers', kinds: ['export.completed'] },
  {
    value: 'webhooks',
    title: 'Webhooks',
    of: 'webhooks',
    kinds: ['webhook.created', 'webhook.failed', 'webhook.recovered'],
  },
  { value: 'keys', title: 'API keys', of: 'keys', kinds: ['key.created', 'key.revoked'] },
]

const COLUMNS = [
  { title: 'Event', cell: event => html`<${Event} event=${event} />` },
  { title: 'User', cell: ({ user_id }) => html`<span dir="auto" class="clipped">${user_id ?? '–'}</span>` },
  {
    title: 'By',
    cell: ({ actor }) =>
      html`<span dir="auto" class="clipped">${actor ? (actor.name ?? 'somebody who is gone') : '–'}</span>`,
  },
  { title: 'Time', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

const GONE = new Set(['memory.deleted', 'memory.expired'])

const PLACES = {
  memory: id => `/memories/${id}`,
  ingest: id => `/imports/${id}`,
  knowledge: () => '/knowledge',
  template: () => '/templates',
  export: () => '/transfers',
  webhook: () => '/webhooks',
  key: () => '/keys',
}

function Event({ event: { event_type, label, resource_id } }) {
  const place = PLACES[event_type.split('.')[0]]
  if (!place || !resource_id || GONE.has(event_type)) return label
  return html`<${Link} to=${place(resource_id)}>${label}<//>`
}

function none(part, user) {
  if (part || user)
    return html`<p class="quiet">Nothing happened that fits. Choose something else under “About”, or another user.</p>`
  return html`<p class="quiet">Memories that are stored, changed and deleted are listed here, with other events.</p>`
}
