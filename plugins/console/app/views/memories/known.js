import { useData } from '../../data.ts'
import { html } from '../../library.js'

/** More than these slow the page down, and nobody scrolls through them. */
const SUGGESTED_MAX = 1000

/** Suggests users, agents and categories to the fields that name one of these lists. */
export function Known() {
  const { data: entities = [] } = useData('/v1/memories/entities')
  const { data } = useData('/v1/memories/categories')
  const ofType = type => entities.filter(entity => entity.type === type).map(({ id }) => id)
  return html`
    <${Suggestions} id="known-users" words=${ofType('user')} />
    <${Suggestions} id="known-agents" words=${ofType('agent')} />
    <${Suggestions} id="known-categories" words=${data?.categories ?? []} />
  `
}

function Suggestions({ id, words }) {
  return html`<datalist id=${id}>
    ${words.slice(0, SUGGESTED_MAX).map(word => html`<option key=${word} value=${word}></option>`)}
  </datalist>`
}
