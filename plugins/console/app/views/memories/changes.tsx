import type { MemoryEvent } from '@mneme/client'
import { diffWordsWithSpace } from 'diff'
import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Badge, Loaded, Time } from '../../parts.tsx'

const PAGE_SIZE = 100
const EVENTS: Readonly<Record<string, string>> = {
  CREATED: 'good',
  UPDATED: 'info',
  CONSOLIDATED: 'warn',
  RESTORED: 'info',
}

/** The versions of a memory's text, each with what was taken away and what was added. */
export function Changes({ id }: { readonly id: string }) {
  const history = useData<{ data: MemoryEvent[] }>(`/v1/memories/${id}/history`, { page_size: PAGE_SIZE })
  return (
    <Loaded from={history}>
      {({ data }) => (
        <ol class="events">
          {data.toReversed().map(event => (
            <li key={event.id}>
              <p class="row">
                <Badge kind={EVENTS[event.event]}>{event.event}</Badge> <Time at={event.created_at} />
                {event.absorbed_id && <Link to={`/memories/${event.absorbed_id}`} text="Show the other memory" />}
              </p>
              {event.old_content !== null && <Difference before={event.old_content} after={event.new_content} />}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

/** Words of languages that put no spaces between them are told apart, too. */
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A text with what was taken away and what was added. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <p class="quiet">The text stayed as it was.</p>
  return (
    <p class="written" dir="auto">
      {diffWordsWithSpace(before, after, { intlSegmenter: WORDS }).map(({ value, added, removed }, n) => {
        if (added) return <ins key={n}>{value}</ins>
        return removed ? <del key={n}>{value}</del> : value
      })}
    </p>
  )
}
