import { navigate, useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction, useData } from '../../data.ts'
import { html } from '../../library.js'
import { Button, Card, Empty, Fault, Loaded, Pager } from '../../parts.tsx'
import { Texts } from './texts.js'

const PAGE_SIZE = 20

/** Templates that come with the service; a copy of one can be applied and changed. */
export function BuiltIn() {
  const { query, set } = useAddress()
  const page = Number(query.page ?? 1)
  const templates = useData('/v1/templates/built-in', { page, page_size: PAGE_SIZE })
  return html`<${Loaded} from=${templates}>
    ${({ data, total }) => html`
      ${data.length === 0 && html`<${Empty} title="No built-in templates">Write a template of your own.<//>`}
      ${data.map(template => html`<${One} key=${template.key} template=${template} />`)}
      <${Pager} page=${page} pageSize=${PAGE_SIZE} total=${total} onPage=${next => set({ page: next })} />
    `}
  <//>`
}

function One({ template: { key, name, description, variables, memories } }) {
  const copy = useAction(async () => {
    const place = location.pathname
    const { id } = await call('POST', `/v1/templates/built-in/${encodeURIComponent(key)}/copy`)
    if (location.pathname === place) navigate(`/templates/${id}`)
  })
  return html`<${Card} title=${html`<span dir="auto">${name}</span>`}>
    <p dir="auto">${description}</p>
    ${variables.length > 0 && html`<p class="quiet">Variables: ${variables.map(each => each.name).join(', ')}</p>`}
    <details>
      <summary>${memories.length === 1 ? 'Its memory' : `Its ${memories.length} memories`}</summary>
      <${Texts} memories=${memories} />
    </details>
    <${Fault} error=${copy.error} />
    <div class="row end">
      <${Button} isBusy=${copy.isBusy} onClick=${copy.run} aria-label=${`Copy ${name}`}>Copy<//>
    </div>
  <//>`
}
