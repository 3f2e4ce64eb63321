import { useAddress } from '../../app/address.js'
import { Field } from '../../app/forms.js'
import { html } from '../../app/library.js'
import { Button } from '../../app/parts.js'

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
    <${Field}
      key=${`category ${category}`}
      label="Category"
      name="category"
      dir="auto"
      list="knowledge-categories"
      maxlength="100"
      placeholder="All categories"
      defaultValue=${category}
    />
    <datalist id="knowledge-categories">
      ${CATEGORIES.map(name => html`<option key=${name} value=${name}></option>`)}
    </datalist>
    <${Field}
      key=${`search ${search}`}
      label="Words"
      name="search"
      type="search"
      dir="auto"
      maxlength="1000"
      placeholder="All entries"
      defaultValue=${search}
    />
    <${Button} type="submit">Search<//>
    ${(category || search) && html`<${Button} onClick=${() => set({ category: '', search: '' })}>Show all<//>`}
  </form>`
}
