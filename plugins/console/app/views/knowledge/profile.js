import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Loaded, Time } from '../../parts.tsx'
import { counted } from '../memories/texts.ts'

/** The portrait of a user in two or three sentences. */
export function Profile({ workspace, user, compilation }) {
  const path = `/v1/memories/profile/${workspace.id}/${encodeURIComponent(user)}`
  // The path names the workspace, so the query may not.
  const profile = useData(path, {}, { goesOn: () => compilation.isWatched, everywhere: true })
  return html`<${Card} title=${html`Profile of <span dir="auto">${user}</span>`}>
    <${Loaded} from=${profile}>
      ${({ profile: found }) =>
        found
          ? html`<${Portrait} profile=${found} user=${user} />`
          : html`<p class="quiet">
              There is no profile yet. It is written a few seconds after the user's memories came.
            </p>`}
    <//>
  <//>`
}

function Portrait({ profile: { summary, topics, entityCount, extractedAt }, user }) {
  const entries = useData('/v1/knowledge', { user_id: user, page_size: 100 })
  const inGraph = words => `/graph?${new URLSearchParams({ user_id: user, ...words })}`
  const isCategory = topic => entries.data?.data.some(({ category }) => category === topic)
  // The names of entities and of categories stand side by side.
  const placeOf = topic =>
    isCategory(topic)
      ? `/knowledge?${new URLSearchParams({ user_id: user, category: topic })}`
      : inGraph({ search: topic })
  return html`
    <p dir="auto">${summary}</p>
    ${
      topics.length > 0 &&
      html`<ul class="row bare" aria-label="Topics">
        ${topics.map(topic => html`<li key=${topic}><${Link} to=${placeOf(topic)} dir="auto">${topic}<//></li>`)}
      </ul>`
    }
    <p class="quiet">
      The <${Link} to=${inGraph({})}>graph of the user<//> holds ${counted(entityCount, 'entity', 'entities')}.
      ${' '}Written:${' '}
      <${Time} at=${extractedAt} />
    </p>
  `
}
