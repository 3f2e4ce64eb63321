import { DayField, Field, TextField, valuesOf } from '../../forms.tsx'
import { html } from '../../library.js'
import { Button, Notice } from '../../parts.tsx'
import { MODES, PRIORITIES, STATUSES } from './options.js'

const FILTERS = [
  'user_id',
  'agent_id',
  'session_id',
  'categories',
  'priority',
  'status',
  'created_after',
  'created_before',
  'entity_id',
  'entity_name',
]

/** Tells whether the address leaves out any memories. */
export const isFiltered = query => FILTERS.some(name => query[name] !== undefined)

/** The parameters of the API for what the address says, without the page. */
export function parametersOf({ search, mode, ...query }) {
  const filters = Object.fromEntries(FILTERS.map(name => [name, query[name]]))
  return {
    ...filters,
    created_after: instantOf(filters.created_after, 'T00:00:00'),
    created_before: instantOf(filters.created_before, 'T23:59:59.999'),
    ...(search === undefined ? {} : { search, mode, explain: true }),
  }
}

/** Makes an instant of a day in the reader's own zone; other texts are left for the API to judge. */
function instantOf(day, time) {
  const instant = new Date(`${day}${time}`)
  return Number.isNaN(instant.getTime()) ? day : instant.toISOString()
}

const ALL = { value: '', title: 'All' }

const NAMED = { dir: 'auto', placeholder: 'All' }

const OPERATORS = 'Write "a phrase" in quotation marks, -word for what is ruled out, and OR between alternatives.'

/** The search and the filters, which take effect when a field is left or changed. */
export function Filters({ query, set, onClear }) {
  const apply = event => {
    event.preventDefault()
    if (!event.currentTarget.checkValidity()) return
    const values = Object.entries(valuesOf(event.currentTarget)).map(([name, value]) => [name, value.trim()])
    set(Object.fromEntries(values))
  }
  const given = name => ({ name, value: query[name] ?? '' })
  return html`<form class="card" role="search" aria-label="Memories" onSubmit=${apply} onChange=${apply}>
    <div class="searching">
      <${TextField}
        label="Search"
        type="search"
        dir="auto"
        placeholder="All memories, newest first"
        ...${given('search')}
      />
      <${Field} label="Search by" options=${MODES} ...${given('mode')} />
      <${Button} type="submit" kind="first">Search<//>
    </div>
    ${query.mode === 'keyword' && html`<p class="quiet">${OPERATORS}</p>`}
    <div class="filters">
      <${TextField} label="User" list="known-users" ...${NAMED} ...${given('user_id')} />
      <${TextField} label="Agent" list="known-agents" ...${NAMED} ...${given('agent_id')} />
      <${TextField} label="Session" ...${NAMED} ...${given('session_id')} />
      <${TextField} label="Category" list="known-categories" dir="auto" placeholder="All" ...${given('categories')} />
      <${Field} label="Priority" options=${[ALL, ...PRIORITIES]} ...${given('priority')} />
      <${Field} label="Status" options=${[ALL, ...STATUSES]} ...${given('status')} />
      <${DayField} label="Created from" ...${given('created_after')} />
      <${DayField} label="Created until" ...${given('created_before')} />
    </div>
    <${Entity} query=${query} set=${set} />
    ${
      (isFiltered(query) || query.search) &&
      html`<div class="row end"><${Button} onClick=${onClear}>Clear the search and all filters<//></div>`
    }
  </form>`
}

/** Other views lead here with an entity, for which there is no field. */
function Entity({ query: { entity_id, entity_name }, set }) {
  if (entity_id === undefined && entity_name === undefined) return null
  const entity = entity_name === undefined ? 'one entity' : html`the entity <b dir="auto">${entity_name}</b>`
  return html`<${Notice}>
    <p>
      Only memories that name ${entity} are shown.
      ${' '}<${Button} kind="link" onClick=${() => set({ entity_id: '', entity_name: '' })}>Show the others too<//>
    </p>
  <//>`
}
