import { Check } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Loaded } from '../../parts.tsx'

/** The names of all permissions, as far as they are loaded. */
export function namesOf(permissions) {
  return (permissions.data?.groups ?? []).flatMap(group => group.permissions.map(({ name }) => name))
}

/** Boxes named `permissions`, by group. @param {{permissions: any, chosen?: string[]}} props */
export function PermissionChoice({ permissions, chosen = [] }) {
  const [names, setNames] = useState(() => new Set(chosen))
  const all = namesOf(permissions)
  const toggle = name => {
    const next = new Set(names)
    if (!next.delete(name)) next.add(name)
    setNames(next)
  }
  const choose = accepts => setNames(new Set(all.filter(accepts)))
  return html`<fieldset class="choice">
    <legend>Permissions (${names.size} of ${all.length})</legend>
    <div class="row">
      <${Button} onClick=${() => choose(() => true)}>Choose all<//>
      <${Button} onClick=${() => choose(name => name.endsWith('.read'))}>Choose read only<//>
      <${Button} onClick=${() => choose(() => false)}>Choose none<//>
    </div>
    <${Loaded} from=${permissions}>
      ${({ groups }) => groups.map(group => html`<${Group} key=${group.name} group=${group} names=${names} toggle=${toggle} />`)}
    <//>
  </fieldset>`
}

function Group({ group, names, toggle }) {
  return html`<fieldset class="choice">
    <legend>${group.name}</legend>
    ${group.permissions.map(
      ({ name, description }) => html`<${Check}
        key=${name}
        name="permissions"
        value=${name}
        label=${html`${description} <code class="quiet">${name}</code>`}
        checked=${names.has(name)}
        onChange=${() => toggle(name)}
      />`,
    )}
  </fieldset>`
}
