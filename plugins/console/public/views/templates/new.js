import { Link, navigate } from '../../app/address.js'
import { call } from '../../app/api.js'
import { html } from '../../app/library.js'
import { Head } from '../../app/parts.js'
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
