import { Link, useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Check, DayField, Field } from '../../forms.tsx'
import { html } from '../../library.js'
import { Button, Card, Copyable, Head, Loaded, Time } from '../../parts.tsx'
import { Memories } from './memories.js'
import { Neighbourhood } from './neighbourhood.js'
import { Relationships } from './relationships.js'
import { useSight } from './sight.js'
import { TypeMark } from './words.js'

/** An entity: who or what it is, how it is related, and the memories that name it. */
export function Entity({ id }) {
  const entity = useData(`/v1/graph/entities/${encodeURIComponent(id)}`)
  return html`
    <p><${Link} to="/graph">All entities<//></p>
    <${Loaded} from=${entity}>
      ${data => html`
        <${Head}
          title=${html`<span dir="auto">${data.name}</span>`}
          about=${data.description && html`<span dir="auto">${data.description}</span>`}
        />
        <${Facts} entity=${data} />
        <${Sight} />
        <${Neighbourhood} entity=${data} />
        <${Relationships} entity=${data} />
        <${Memories} entity=${data} />
      `}
    <//>
  `
}

function Facts({ entity }) {
  const { id, type, user_id, aliases, metadata } = entity
  const user = encodeURIComponent(user_id)
  const facts = [
    ['Type', html`<${TypeMark} type=${type} />`],
    ['User', html`<${Link} to=${`/graph?user_id=${user}`} dir="auto">${user_id}<//>`],
    ['Other names', aliases.length > 0 && html`<span dir="auto">${aliases.join(', ')}</span>`],
    ['Relationships that hold now', entity.relationships_count.toLocaleString('en')],
    ['Memories that name it', entity.related_memories_count.toLocaleString('en')],
    ['First noted', html`<${Time} at=${entity.created_at} />`],
    ['Last changed', html`<${Time} at=${entity.updated_at} />`],
    ['Metadata', metadata && html`<pre dir="auto">${JSON.stringify(metadata, null, 2)}</pre>`],
    ['Id', html`<${Copyable} text=${id} />`],
  ]
  const known = facts.filter(([, value]) => value)
  return html`<${Card} title="The entity">
    <dl class="facts">${known.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>${value}</dd>`)}</dl>
  <//>`
}

const DEPTHS = [
  { value: '', title: 'Neighbours' },
  { value: '2', title: 'Neighbours and theirs' },
]

/** Chooses the date, whether what is over is shown, and how far the picture goes. */
function Sight() {
  const { set } = useAddress()
  const { asOf, hasFormer, depth } = useSight()
  const restarted = { now_page: '', former_page: '' }
  const setFormer = event => set({ ...restarted, former: event.target.checked ? 'yes' : '' })
  return html`<form class="inline" aria-label="View of the graph" onSubmit=${event => event.preventDefault()}>
    <${DayField}
      label="As it was known on"
      name="as_of"
      value=${asOf}
      onChange=${event => set({ ...restarted, as_of: event.target.value })}
    />
    ${asOf !== '' && html`<${Button} onClick=${() => set({ ...restarted, as_of: '' })}>Show today<//>`}
    <${Field}
      label="Picture"
      name="depth"
      options=${DEPTHS}
      value=${depth === 2 ? '2' : ''}
      onChange=${event => set({ depth: event.target.value })}
    />
    <${Check} label="Show former relationships" name="former" checked=${hasFormer} onChange=${setFormer} />
  </form>`
}
