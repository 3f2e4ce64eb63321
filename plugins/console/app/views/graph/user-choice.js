import { Field, TextField } from '../../forms.tsx'
import { html } from '../../library.js'

/** A list that is longer is typed into, as no one scrolls through thousands of names. */
const CHOICES_MAX = 100
const SUGGESTIONS_MAX = 500

/**
 * Chooses one of the users who have memories, or all of them.
 *
 * @param {{from: {data: any}, chosen?: string, onChoose: (id: string) => void}} props `from` is loaded from
 * `/v1/memories/entities`
 */
export function UserChoice({ from, chosen = '', onChoose }) {
  const ids = usersOf(from.data ?? [], chosen)
  const change = event => onChoose(event.target.value.trim())
  if (ids.length <= CHOICES_MAX) {
    const options = [{ value: '', title: 'All users' }, ...ids.map(id => ({ value: id, title: id }))]
    return html`<${Field} label="User" name="user" dir="auto" options=${options} value=${chosen} onChange=${change} />`
  }
  return html`
    <${TextField}
      label="User"
      name="user"
      dir="auto"
      list="users"
      placeholder="All users"
      value=${chosen}
      onChange=${change}
    />
    <datalist id="users">
      ${ids.slice(0, SUGGESTIONS_MAX).map(id => html`<option key=${id} value=${id}></option>`)}
    </datalist>
  `
}

/** A user who is chosen stays so, even when none of the memories are left. */
function usersOf(entities, chosen) {
  const ids = new Set(entities.filter(({ type }) => type === 'user').map(({ id }) => id))
  if (chosen !== '') ids.add(chosen)
  return [...ids].sort((a, b) => a.localeCompare(b))
}
