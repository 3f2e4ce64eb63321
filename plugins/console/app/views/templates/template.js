import { Link, navigate, useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { useData } from '../../data.ts'
import { Confirmed } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Head, Loaded, Notice, Tabs } from '../../parts.tsx'
import { Apply } from './apply.js'
import { Editor } from './editor.js'
import { Texts } from './texts.js'

const WAYS = [
  { id: 'apply', title: 'Apply' },
  { id: 'edit', title: 'Edit' },
]

/** A template, which is applied or changed here. Both parts stay on the page, so that neither loses what is typed. */
export function Template({ id }) {
  const { query, set } = useAddress()
  const path = `/v1/templates/${encodeURIComponent(id)}`
  const template = useData(path)
  const way = query.way === 'edit' ? 'edit' : 'apply'
  const remove = async () => {
    const place = location.pathname
    await call('DELETE', path)
    if (location.pathname === place) navigate('/templates', { replace: true })
  }
  return html`
    <p><${Link} to="/templates">All templates<//></p>
    <${Loaded} from=${template}>
      ${data => html`
        <${Head} title=${html`<span dir="auto">${data.name}</span>`} about=${described(data)}>
          <${Confirmed}
            label="Delete"
            question="The template is deleted. Memories that were made of it stay."
            act=${remove}
          />
        <//>
        <${Tabs} options=${WAYS} chosen=${way} onChoose=${chosen => set({ way: chosen })} />
        <div hidden=${way !== 'apply'}><${Use} template=${data} /></div>
        <div hidden=${way !== 'edit'}><${Edit} path=${path} template=${data} reload=${template.reload} /></div>
      `}
    <//>
  `
}

const described = ({ description }) => description && html`<span dir="auto">${description}</span>`

function Use({ template }) {
  return html`<div class="stack">
    <${Card} title="Texts"><${Texts} memories=${template.memories} /><//>
    <${Apply} key=${template.updated_at} template=${template} />
  </div>`
}

function Edit({ path, template, reload }) {
  const [isSaved, setSaved] = useState(false)
  const save = async body => {
    await call('PATCH', path, { body })
    await reload()
    setSaved(true)
  }
  return html`<div class="stack">
    <${Editor} template=${template} action="Save the template" save=${save} onEdit=${() => setSaved(false)} />
    ${
      isSaved &&
      html`<${Notice} kind="good">
        <p>The template is saved. Memories that were made of it stay as they are.</p>
      <//>`
    }
  </div>`
}
