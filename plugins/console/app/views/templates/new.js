import { Link, navigate } from '../../address.tsx'
import { call } from '../../api.ts'
import { html } from '../../library.js'
import { Head } from '../../parts.tsx'
import { Editor } from './editor.js'

/** A form for a template that does not exist yet. */
export function NewTemplate() {
  const save = async body => {
    const place = location.pathname
    const { id } = await call('POST', '/v1/templates', { body })
    if (location.pathname === place) navigate(`/templates/${id}`, { replace: true })
  }
  return html`
    <p><${Link} to="/templates">All templates<//></p>
    <${Head} title="A new template" />
    <${Editor} action="Create the template" save=${save} />
  `
}
