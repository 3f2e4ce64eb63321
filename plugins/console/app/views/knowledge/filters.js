import { useAddress } from '../../address.tsx'
import { TextField } from '../../forms.tsx'
import { html } from '../../library.js'
import { Button } from '../../parts.tsx'

/** Those that the service gives by itself; memories may have others. */
const CATEGORIES = [
  'personal',
  'relationships',
  'work_context',
  'tech_stack',
  'preferences',
  'communication_style',
  'general',
]

/** Fields for the category and the words that entries hold. */
export function Filters() {
  const { query, set } = useAddress()
  const { category = '', search = '' } = query
  const submit = event => {
    event.preventDefault()
    const given = new FormData(event.target)
    set({ category: given.get('category').trim(), search: given.get('search').trim() })
  }
  return html`<form class="inline" role="search" aria-label="Entries" onSubmit=${submit}>
    <${TextField}
      label="Category"
      name="category"
      dir="auto"
      list="knowledge-categories"
      placeholder="All categories"
      value=${category}
    />
    <datalist id="knowledge-categories">
      ${CATEGORIES.map(name => html`<option key=${name} value=${name}></option>`)}
    </datalist>
    <${TextField}
      label="Words"
      name="search"
      type="search"
      dir="auto"
      placeholder="All entries"
      value=${search}
    />
    <${Button} type="submit">Search<//>
    ${(category || search) && html`<${Button} onClick=${() => set({ category: '', search: '' })}>Show all<//>`}
  </form>`
}
