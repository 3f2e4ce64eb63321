import { Link, useAddress } from '../../address.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Empty, Table, Time } from '../../parts.tsx'
import { withoutSources } from './document.js'

const BEGINNING = 300

const COLUMNS = [
  {
    title: 'Category',
    cell: ({ id, category }) => html`<${Link} to=${`/knowledge/${id}`} dir="auto">${category}<//>`,
  },
  { title: 'User', cell: ({ user_id }) => html`<span dir="auto">${user_id}</span>` },
  { title: 'Beginning', cell: ({ content }) => html`<span class="clipped" dir="auto">${beginningOf(content)}</span>` },
  { title: 'Version', cell: ({ version }) => version.toLocaleString('en'), isNumber: true },
  { title: 'Last changed', cell: ({ updated_at }) => html`<${Time} at=${updated_at} />` },
]

/** The first statements in one line, without the title that repeats the category. */
function beginningOf(content) {
  const lines = withoutSources(content)
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('# '))
  return lines
    .map(line => line.replace(/^[-*+]\s+/, ''))
    .join(' · ')
    .slice(0, BEGINNING)
}

/** The entries that pass the filters, in pages. */
export function Entries({ compilation }) {
  const { user_id, category, search } = useAddress().query
  const asked = { user_id, category, search }
  const entries = usePage('/v1/knowledge', asked, { goesOn: () => compilation.isWatched })
  return html`<${Paged} from=${entries} none=${none(asked)}>
    ${({ data }) => html`<${Table} label="Knowledge entries" columns=${COLUMNS} rows=${data} />`}
  <//>`
}

function none({ user_id, category, search }) {
  if (category || search) return html`<${Empty} title="No entry fits">Try another category or other words.<//>`
  if (user_id) {
    return html`<${Empty} title="Nothing is known of this user yet">
      Entries are written a few seconds after the user's memories came. “Compile now” does not wait, and brings back
      deleted ones.
    <//>`
  }
  return html`<${Empty} title="No knowledge yet">
    What the memories of a user say is put together here by category, a few seconds after the memories came.
  <//>`
}
