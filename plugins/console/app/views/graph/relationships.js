import { Link, useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Empty, Loaded, Notice, Pager, Table, Time } from '../../parts.tsx'
import { isUnknownAt, useSight } from './sight.js'
import { TypeMark, wordsOf } from './words.js'

/** The relationships of an entity as sentences: those that hold, and if wanted those that are over. */
export function Relationships({ entity }) {
  const { query, asOf, hasFormer } = useSight()
  const found = useData(`/v1/graph/entities/${entity.id}/relationships`, query)
  if (isUnknownAt(asOf, found)) {
    return html`<${Empty} title="Not known yet">
      No memory had named it by the end of this day. What is shown is what the service knew then; choose a later day.
    <//>`
  }
  return html`<${Loaded} from=${found}>
    ${data => {
      const rows = rowsOf(data, entity)
      const shown = data.outgoing.length + data.incoming.length
      const total = data.outgoing_total + data.incoming_total
      return html`
        ${
          shown < total &&
          html`<${Notice}><p>The strongest ${count(shown)} of ${count(total)} relationships are listed.</p><//>`
        }
        <${Card} title=${asOf === '' ? 'Relationships now' : 'Relationships at that time'}>
          <${Sentences} rows=${rows.filter(({ current }) => current)} name="now_page" none="No relationship holds." />
        <//>
        ${
          hasFormer &&
          html`<${Card} title="Former relationships">
            <${Sentences}
              rows=${rows.filter(({ current }) => !current)}
              name="former_page"
              none="No relationship is over."
            />
          <//>`
        }
      `
    }}
  <//>`
}

const count = number => number.toLocaleString('en')

function rowsOf({ outgoing, incoming }, entity) {
  const rows = [
    ...outgoing.map(({ target, ...row }) => ({ ...row, source: entity, target, other: target })),
    ...incoming.map(({ source, ...row }) => ({ ...row, source, target: entity, other: source })),
  ]
  return rows.sort((a, b) => b.weight - a.weight)
}

const PAGE_SIZE = 25

function Sentences({ rows, name, none }) {
  const { query, set } = useAddress()
  const { linkOf } = useSight()
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`
  const pages = Math.ceil(rows.length / PAGE_SIZE)
  const page = Math.min(Math.max(1, Math.trunc(Number(query[name])) || 1), pages)
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return html`
    <${Table} label="Relationships" columns=${columns(linkOf)} rows=${shown} />
    <${Pager} page=${page} pageSize=${PAGE_SIZE} total=${rows.length} onPage=${next => set({ [name]: next })} />
  `
}

const columns = linkOf => [
  { title: 'Relationship', cell: row => html`<${Sentence} row=${row} linkOf=${linkOf} />` },
  { title: 'Type', cell: ({ other }) => html`<${TypeMark} type=${other.type} />` },
  { title: 'Since', cell: ({ valid_from }) => html`<${Day} at=${valid_from} />` },
  { title: 'Until', cell: ({ valid_to }) => html`<${Day} at=${valid_to} />` },
  { title: 'Strength', cell: ({ weight }) => `${Math.round(weight * 100)} %`, isNumber: true },
  { title: 'Memories', cell: ({ memory_ids }) => html`<${Sources} ids=${memory_ids} />` },
]

function Sentence({ row: { source, target, other, type }, linkOf }) {
  const end = entity =>
    entity === other
      ? html`<${Link} to=${linkOf(entity.id)} dir="auto">${entity.name}<//>`
      : html`<span dir="auto">${entity.name}</span>`
  return html`<span class="clipped">${end(source)} ${wordsOf(type)} ${end(target)}</span>`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Memories tell days, which stand for themselves in any zone; other instants are those of the service. */
function Day({ at }) {
  if (!at?.endsWith('T00:00:00.000Z')) return html`<${Time} at=${at} />`
  return html`<time datetime=${at.slice(0, 10)}>${DAY.format(new Date(at))}</time>`
}

const LINKS_MAX = 3

function Sources({ ids }) {
  if (ids.length === 0) return html`<span class="quiet">–</span>`
  const links = ids.map(
    (id, index) =>
      html`<${Link} key=${id} to=${`/memories/${id}`} aria-label=${`Memory ${index + 1}`}>${index + 1}<//>${' '}`,
  )
  return html`
    ${links.slice(0, LINKS_MAX)}
    ${
      ids.length > LINKS_MAX &&
      html`<details><summary>${ids.length - LINKS_MAX} more</summary>${links.slice(LINKS_MAX)}</details>`
    }
  `
}
