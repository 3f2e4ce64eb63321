import { useData } from '../../data.ts'
import { Field, TextField } from '../../forms.tsx'
import { Suggestions } from '../memories/known.tsx'

/** A list that is longer is typed into, as no one scrolls through thousands of names. */
const CHOICES_MAX = 100
const SUGGESTIONS_MAX = 500

/** Chooses one of the users who have memories, or all of them. */
export function UserChoice({ chosen = '', onChoose }: { chosen: string | undefined; onChoose: (id: string) => void }) {
  const { data = [] } = useData<readonly { readonly type: string; readonly id: string }[]>('/v1/memories/entities')
  // A user who is chosen stays so, even when none of the memories are left.
  const known = data.filter(({ type }) => type === 'user').map(({ id }) => id)
  const ids = [...new Set(chosen === '' ? known : [...known, chosen])].toSorted((a, b) => a.localeCompare(b))
  const field = { label: 'User', name: 'user', dir: 'auto', value: chosen } as const
  if (ids.length <= CHOICES_MAX) {
    const options = [['', 'All users'] as const, ...ids.map(id => [id, id] as const)]
    return <Field options={options} onValue={onChoose} {...field} />
  }
  return (
    <>
      <TextField list="users" placeholder="All users" onValue={typed => onChoose(typed.trim())} {...field} />
      <Suggestions id="users" words={ids.slice(0, SUGGESTIONS_MAX)} />
    </>
  )
}
