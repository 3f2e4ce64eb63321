import { Link, useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Field, TextField } from '../../forms.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Button, Empty, Loaded, Table, Time } from '../../parts.tsx'
import { TYPES, TypeMark } from './words.js'

const FOUND_MAX = 50

/** The entities of the chosen user and type: those near to a search, else all of them in pages. */
export function Entities() {
  const { query } = useAddress()
  return html`
    <${Filters} />
    ${query.search ? html`<${Found} />` : html`<${Listed} />`}
  `
}

function Filters() {
  const { query, set } = useAddress()
  const { search = '', type = '' } = query
  const submit = event => {
    event.preventDefault()
    set({ search: new FormData(event.target).get('search').trim() })
  }
  const types = [{ value: '', title: 'All types' }, ...TYPES]
  return html`<form class="inline" role="search" aria-label="Entities" onSubmit=${submit}>
    <${Field}
      label="Type"
      name="type"
      options=${types}
      value=${type}
      onChange=${event => set({ type: event.target.value })}
    />
    <${TextField}
      label="Name, or what it is"
      name="search"
      type="search"
      dir="auto"
      placeholder="the company in Hamburg"
      value=${search}
    />
    <${Button} type="submit">Search<//>
    ${search !== '' && html`<${Button} onClick=${() => set({ search: '' })}>Show all<//>`}
  </form>`
}

const NAME = {
  title: 'Name',
  cell: ({ id, name }) => html`<${Link} to=${`/graph/${id}`} dir="auto"><span class="clipped">${name}</span><//>`,
}
const TYPE = { title: 'Type', cell: ({ type }) => html`<${TypeMark} type=${type} />` }
const DESCRIPTION = {
  title: 'Description',
  cell: ({ description }) =>
    description ? html`<span class="clipped" dir="auto">${description}</span>` : html`<span class="quiet">–</span>`,
}
const NOTED = { title: 'First noted', cell: ({ created_at }) => html`<${Time} at=${created_at} />` }
const NEARNESS = { title: 'Nearness', cell: ({ score }) => `${Math.round(score * 100)} %`, isNumber: true }

const LISTED = [NAME, TYPE, DESCRIPTION, NOTED]
const FOUND = [NAME, TYPE, DESCRIPTION, NEARNESS]

function Listed() {
  const { user_id, type } = useAddress().query
  const asked = { user_id, type }
  const entities = usePage('/v1/graph/entities', asked)
  return html`<${Paged} from=${entities} none=${none(asked)}>
    ${({ data }) => html`<${Table} label="Entities" columns=${LISTED} rows=${data} />`}
  <//>`
}

function none({ user_id, type }) {
  if (user_id || type) return html`<${Empty} title="No entity fits">Choose another type or user.<//>`
  return html`<${Empty} title="No entities yet">
    People, organizations, places and things that memories name are listed here, a few seconds after the memories came.
  <//>`
}

function Found() {
  const { query } = useAddress()
  const { search, user_id, type } = query
  const found = useData('/v1/graph/search', { query: search, user_id, type, limit: FOUND_MAX })
  return html`<${Loaded} from=${found}>
    ${entities =>
      entities.length === 0
        ? html`<${Empty} title="Nothing found">Try another name, or choose another type or user.<//>`
        : html`
            <p class="quiet">
              ${entities.length === FOUND_MAX ? `The ${FOUND_MAX} nearest are shown.` : 'The nearest come first.'}
            </p>
            <${Table} label="Entities found" columns=${FOUND} rows=${entities} />
          `}
  <//>`
}
