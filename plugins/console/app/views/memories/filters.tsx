import type { JSX } from 'preact'
import { DayField, Field, TextField, valuesOf } from '../../forms.tsx'
import { Icon } from '../../icons.tsx'
import { walk } from '../../keys.ts'
import { Button, DropDown } from '../../parts.tsx'
import { MODES, metadataOf, PRIORITIES, STATUSES, titleOf } from './memory.ts'

type Query = Readonly<Record<string, string>>

const PRIORITY_CHOICES = { '': 'Any', ...PRIORITIES, 'MEDIUM,HIGH': 'Medium or high' }
const STATUS_CHOICES = { '': 'Any', ...STATUSES, 'PENDING,PROCESSING': 'Not processed yet' }

interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: Readonly<Record<string, string>>
  readonly isDay?: boolean
  /** Other views lead here with it, and there is no field for it. */
  readonly isGiven?: boolean
  readonly field?: JSX.InputHTMLAttributes
}

const FILTERS: readonly Filter[] = [
  { name: 'user_id', label: 'User', field: { list: 'known-users' } },
  { name: 'agent_id', label: 'Agent', field: { list: 'known-agents' } },
  { name: 'session_id', label: 'Session' },
  { name: 'categories', label: 'Category', field: { list: 'known-categories' } },
  { name: 'priorities', label: 'Priority', options: PRIORITY_CHOICES },
  { name: 'status', label: 'Status', options: STATUS_CHOICES },
  { name: 'created_after', label: 'Created from', isDay: true },
  { name: 'created_before', label: 'Created until', isDay: true },
  { name: 'min_score', label: 'Least score of results', field: { type: 'number', min: 0, max: 1, step: 0.01 } },
  { name: 'metadata', label: 'Metadata of results', field: { placeholder: '{"source": "chat"}' } },
  { name: 'entity_name', label: 'Names the entity' },
  { name: 'entity_id', label: 'Names an entity', isGiven: true },
  { name: 'priority', label: 'Priority', isGiven: true },
]

/** Tells whether the address leaves out any memories. */
export const isFiltered = (query: Query) => FILTERS.some(({ name }) => query[name] !== undefined)

/** The request for what the address says; a search by metadata needs a body. @throws of metadata that are no JSON */
export function requestOf({ search, ...query }: Query) {
  if (search === undefined) return { path: '/v1/memories', query: filtersOf(query), asBody: false }
  if (query.metadata !== undefined) return { path: SEARCH, query: searchOf({ search, ...query }), asBody: true }
  const { mode, min_score } = query
  return { path: '/v1/memories', query: { ...filtersOf(query), min_score, mode, search, explain: true }, asBody: false }
}

export const SEARCH = '/v1/memories/search'

/** The body of the search that the address asks for. */
export function searchOf({ search, mode, metadata, min_score, ...query }: Query) {
  const { categories, priorities, status, ...filters } = filtersOf(query)
  const lists = { categories: listed(categories), priorities: listed(priorities), status: listed(status) }
  const least = min_score === undefined ? undefined : Number(min_score)
  const filter = metadata === undefined ? undefined : metadataOf(metadata)
  return { query: search, mode, explain: true, ...filters, ...lists, min_score: least, filter }
}

const listed = (words: string | undefined) => words?.split(',')

function filtersOf(query: Query) {
  const {
    min_score: _score,
    metadata: _metadata,
    ...given
  } = Object.fromEntries(FILTERS.map(({ name }) => [name, query[name]]))
  return {
    ...given,
    created_after: instantOf(given.created_after, 'T00:00:00'),
    created_before: instantOf(given.created_before, 'T23:59:59.999'),
  } as Record<string, string | undefined>
}

/** Makes an instant of a day in the reader's own zone; other texts are left for the API to judge. */
function instantOf(day: string | undefined, time: string): string | undefined {
  const instant = new Date(`${day}${time}`)
  return Number.isNaN(instant.getTime()) ? day : instant.toISOString()
}

const OPERATORS = 'Write "a phrase" in quotation marks, -word for what is ruled out, and OR between alternatives.'

interface FiltersProps {
  readonly query: Query
  readonly set: (changes: Record<string, unknown>) => void
  /** The fields are shown, which suggest names. */
  readonly onOpen: () => void
}

/** The search, the filters that hold as chips, and a form for all filters, each of which takes effect when it is left. */
export function Filters({ query, set, onOpen }: FiltersProps) {
  const apply = (event: JSX.TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!event.currentTarget.checkValidity()) return
    set(Object.fromEntries(Object.entries(valuesOf(event.currentTarget)).map(([name, value]) => [name, value.trim()])))
  }
  const chips = FILTERS.filter(({ name }) => query[name] !== undefined)
  return (
    <search aria-label="Memories">
      <form onSubmit={apply} onChange={apply} onKeyDown={walk}>
        <div class="searching">
          <div class="sought">
            <Icon name="search" />
            <TextField
              label="Search"
              name="search"
              type="search"
              dir="auto"
              placeholder="Search by words and meaning, or press / from anywhere"
              value={query.search ?? ''}
            />
          </div>
          <Field label="Search by" name="mode" options={MODES} value={query.mode ?? ''} />
          <DropDown icon="filter" label="Filters" class="filters" onOpen={onOpen}>
            {FILTERS.filter(({ isGiven }) => !isGiven).map(filter => (
              <One key={filter.name} filter={filter} value={query[filter.name] ?? ''} />
            ))}
          </DropDown>
          <Button type="submit" kind="first" label="Search" />
        </div>
        {query.mode === 'keyword' && <p class="quiet">{OPERATORS}</p>}
        {chips.length > 0 && (
          <ul class="chips" aria-label="Filters that hold">
            {chips.map(({ name, label, options = {} }) => (
              <li key={name} class="chip">
                <span class="quiet">{label}</span> <b dir="auto">{titleOf(options, query[name] ?? '')}</b>
                <Button
                  kind="icon"
                  icon="close"
                  aria-label={`Remove the filter ${label}`}
                  onClick={() => set({ [name]: '' })}
                />
              </li>
            ))}
            <li>
              <Button
                kind="link"
                onClick={() => set(Object.fromEntries(FILTERS.map(({ name }) => [name, ''])))}
                label="Remove all"
              />
            </li>
          </ul>
        )}
      </form>
    </search>
  )
}

function One({ filter: { name, label, options, isDay, field }, value }: { filter: Filter; value: string }) {
  const given = { label, name, value }
  if (options) return <Field options={options} {...given} />
  if (isDay) return <DayField {...given} />
  return <TextField dir="auto" placeholder="Any" {...(field as object)} {...given} />
}
