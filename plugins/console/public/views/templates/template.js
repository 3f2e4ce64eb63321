import { Link, navigate, useAddress } from '../../app/address.js'
import { call } from '../../app/api.js'
import { useData } from '../../app/data.js'
import { Confirmed } from '../../app/forms.js'
import { html, useState } from '../../app/library.js'
import { Card, Head, Loaded, Notice, Tabs } from '../../app/parts.js'
import { Apply } from './apply.js'
import { Editor } from './editor.js'
import { Texts } from './texts.js'

const WAYS = [
  { id: 'apply', title: 'Apply' },
  { id: 'edit', title: 'Edit' },
]

/** A template, which is applied or changed here. */
export function Template({ id }) {
  const { query, set } = useAddress()
  const path = `/v1/templates/${encodeURIComponent(id)}`
  const template = useData(path)
  const way = query.way === 'edit' ? 'edit' : 'apply'
  const remove = async () => {
    await call('DELETE', path)
    navigate('/templates')
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
        ${
          way === 'edit'
            ? html`<${Edit} path=${path} template=${data} reload=${template.reload} />`
            : html`<${Use} template=${data} />`
        }
      `}
    <//>
  `
}

const described = ({ description }) => description && html`<span dir="auto">${description}</span>`

function Use({ template }) {
  return html`
    <${Card} title="Texts"><${Texts} memories=${template.memories} /><//>
    <${Apply} key=${template.updated_at} template=${template} />
  `
}

function Edit({ path, template, reload }) {
  const [isSaved, setSaved] = useState(false)
  const save = async body => {
    await call('PATCH', path, { body })
    await reload()
    setSaved(true)
  }
  return html`
    <${Editor} template=${template} action="Save the template" save=${save} onEdit=${() => setSaved(false)} />
    ${
      isSaved &&
      html`<${Notice} kind="good">
        <p>The template is saved. Memories that were made of it stay as they are.</p>
      <//>`
    }
  `
}
