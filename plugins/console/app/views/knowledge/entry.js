import { Link, navigate } from '../../address.tsx'
import { call } from '../../api.ts'
import { useData } from '../../data.ts'
import { Confirmed } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Card, Copyable, Head, Loaded, Time } from '../../parts.tsx'
import { Compile, useCompilation } from './compile.js'
import { Document } from './document.js'
import { Editor } from './editor.js'

/** The address of the list of a user's entries. */
const listOfUser = user => `/knowledge?user_id=${encodeURIComponent(user)}`

/** An entry: its text to read, or to edit by hand. */
export function Entry({ id }) {
  const path = `/v1/knowledge/${encodeURIComponent(id)}`
  const compilation = useCompilation()
  const [isEditing, setEditing] = useState(false)
  const entry = useData(path, {}, { goesOn: () => compilation.isWatched && !isEditing })
  const close = async () => {
    await entry.reload()
    setEditing(false)
  }
  return html`
    <p><${Link} to="/knowledge">All knowledge<//></p>
    <${Loaded} from=${entry}>
      ${data => html`
        <${Title} entry=${data} compilation=${compilation} onEdit=${isEditing ? undefined : () => setEditing(true)} />
        <${Card} title="Text">
          ${
            isEditing
              ? html`<div class="stack"><${Editor} entry=${data} onClose=${close} /></div>`
              : html`<div class="stack"><${Document} content=${data.content} /></div>`
          }
        <//>
        <${Facts} entry=${data} />
      `}
    <//>
  `
}

const QUESTION =
  'The entry is deleted, and what was edited by hand is lost. It is written anew when the memories behind it change ' +
  'or when it is compiled; the memories stay.'

function Title({ entry: { id, category, user_id }, compilation, onEdit }) {
  const remove = async () => {
    const here = location.pathname
    await call('DELETE', `/v1/knowledge/${id}`)
    // A reader who has gone elsewhere meanwhile is not called back.
    if (location.pathname === here) navigate(listOfUser(user_id), { replace: true })
  }
  return html`<${Head}
    title=${html`<span dir="auto">${category}</span>`}
    about=${html`What is known of <span dir="auto">${user_id}</span> in this category.`}
  >
    ${onEdit && html`<${Button} kind="first" onClick=${onEdit}>Edit by hand<//>`}
    <${Compile} user=${user_id} category=${category} compilation=${compilation} />
    <${Confirmed}
      label="Delete"
      question=${QUESTION}
      act=${remove}
    />
  <//>`
}

function Facts({ entry: { id, user_id, version, created_at, updated_at } }) {
  return html`<${Card} title="The entry">
    <dl class="facts">
      <dt>User</dt>
      <dd><${Link} to=${listOfUser(user_id)} dir="auto">${user_id}<//></dd>
      <dt>Version</dt>
      <dd>${version.toLocaleString('en')}</dd>
      <dt>First compiled</dt>
      <dd><${Time} at=${created_at} /></dd>
      <dt>Last changed</dt>
      <dd><${Time} at=${updated_at} /></dd>
      <dt>Id</dt>
      <dd><${Copyable} text=${id} /></dd>
    </dl>
  <//>`
}
