import { useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Empty, Loaded } from '../../parts.tsx'
import { Document } from './document.js'

/** All entries that pass the filters, one after the other. */
export function Merged({ compilation }) {
  const { query } = useAddress()
  const { user_id, category, search } = query
  const merged = useData(
    '/v1/knowledge',
    { user_id, category, search, merged: true },
    { goesOn: () => compilation.isWatched },
  )
  return html`<${Loaded} from=${merged}>
    ${({ content, version, categories }) =>
      content === ''
        ? html`<${Empty} title="Nothing to put together">No entry fits the chosen user, category and words.<//>`
        : html`<${Card} title="The document">
            <p class="quiet" dir="auto">Version ${version}, of these categories: ${categories.join(', ')}.</p>
            <div class="stack"><${Document} content=${content} /></div>
          <//>`}
  <//>`
}
