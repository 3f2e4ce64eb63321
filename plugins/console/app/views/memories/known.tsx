import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { type Memory, shortened } from './memory.ts'

/** More than these slow the page down, and nobody scrolls through them. */
const SUGGESTED_MAX = 1000

/** Suggests users, agents and categories to the fields that name one of these lists. */
export function Known() {
  const { data: entities = [] } = useData<{ id: string; type: string }[]>('/v1/memories/entities')
  const { data } = useData<{ categories: string[] }>('/v1/memories/categories')
  const ofType = (type: string) => entities.filter(entity => entity.type === type).map(({ id }) => id)
  return (
    <>
      <Suggestions id="known-users" words={ofType('user')} />
      <Suggestions id="known-agents" words={ofType('agent')} />
      <Suggestions id="known-categories" words={data?.categories ?? []} />
    </>
  )
}

/** Suggests words to the fields that name this list. */
export const Suggestions = ({ id, words }: { readonly id: string; readonly words: readonly string[] }) => (
  <datalist id={id}>
    {words.slice(0, SUGGESTED_MAX).map(word => (
      <option key={word} value={word} />
    ))}
  </datalist>
)

/** Leads to a memory by its text, not by its id. @param search keeps the list beside it as it is */
export function MemoryLink({ id, search = '' }: { readonly id: string; readonly search?: string }) {
  const { data, error } = useData<Memory>(`/v1/memories/${id}`)
  if (error) return <span class="quiet">A memory that is gone</span>
  return (
    <Link
      to={`/memories/${id}${search}`}
      staysHere={search !== ''}
      aria-busy={data === undefined}
      text={data ? shortened(data.memory, 120) : '…'}
    />
  )
}
