import { BASE, Link, navigate, ROOT, useAddress } from './address.js'
import { Field } from './forms.js'
import { html, useEffect, useErrorBoundary, useRef } from './library.js'
import { Button, Fault, Head } from './parts.js'
import { mayLeave } from './unsaved.js'
import { viewOf } from './views.js'

/** The menu beside the view that the address names. */
export function Shell({ session, onWorkspace, onChanged, onSignOut }) {
  const { parts } = useAddress()
  const View = viewOf(parts[0])
  const view = useRef(null)
  useEffect(() => leadToFirst(session.pages, parts), [])
  const menu = useRef(null)
  useEffect(() => announce(session.pages, parts, view.current), [parts.join('/')])
  useEffect(() => showChosen(menu.current), [parts[0]])
  return html`<div class="shell">
    <nav class="menu" aria-label="Console" ref=${menu}>
      <p class="brand"><img src=${`${BASE}/icon.svg`} alt="" width="28" height="28" /> Mneme</p>
      <${Workspaces} session=${session} onWorkspace=${onWorkspace} />
      <ul>
        ${session.pages.map(page => html`<li key=${page.id}><${Entry} page=${page} chosen=${parts[0]} /></li>`)}
        <li><a href=${`${ROOT}/docs`} class="entry">API reference</a></li>
      </ul>
      <p class="account quiet">${session.email}<br /><${Button} kind="link" onClick=${onSignOut}>Sign out<//></p>
    </nav>
    <main id="view" ref=${view} tabindex="-1">
      ${
        View
          ? html`<${Guarded} key=${parts[0]} place=${parts.join('/')}>
              <${View} key=${parts[0]} session=${session} onChanged=${onChanged} onWorkspace=${onWorkspace} />
            <//>`
          : html`<${Head} title="There is no such page" about="The menu lists those that there are." />`
      }
    </main>
  </div>`
}

/** A view that cannot be drawn leaves the menu as it is, and may be drawn at another place. */
function Guarded({ place, children }) {
  const [error, forget] = useErrorBoundary()
  useEffect(() => forget(), [place])
  if (!error) return children
  return html`
    <${Fault} error=${new Error(`This page cannot be shown: ${error.message}`)} />
    <div class="row"><${Button} onClick=${forget}>Try again<//></div>
  `
}

/** The console begins with its first view, where the one at its address is left out of the menu. */
function leadToFirst(pages, [name]) {
  const own = pages.map(({ path }) => path).filter(path => path.startsWith(`${BASE}/`))
  if (name === undefined && own.length > 0 && !own.includes(`${BASE}/`))
    navigate(own[0].slice(BASE.length), { replace: true })
}

/** Names the view in the history, and has those that hear or type begin at its start. */
function announce(pages, [name = ''], view) {
  const page = pages.find(({ path }) => path === `${BASE}/${name}`)
  document.title = page ? `${page.title} – Mneme` : 'Mneme'
  view.focus({ preventScroll: true })
}

/** On a phone the entries stand in one row, which is wider than the window. */
function showChosen(menu) {
  const row = menu.querySelector('ul')
  const entry = row.querySelector('[aria-current]')
  if (entry) row.scrollLeft = entry.offsetLeft - row.offsetLeft - (row.clientWidth - entry.offsetWidth) / 2
}

function Workspaces({ session: { workspaces, workspace }, onWorkspace }) {
  const options = workspaces.map(({ id, name, mode }) => ({
    value: id,
    title: mode === 'test' ? `${name} (test)` : name,
  }))
  const choose = ({ target }) => {
    if (mayLeave()) onWorkspace(target.value)
    else target.value = workspace.id
  }
  return html`<${Field} label="Workspace" name="workspace" options=${options} value=${workspace.id} onChange=${choose} />`
}

/** Pages of the console are shown in place; those of other plugins are documents of their own. */
function Entry({ page, chosen }) {
  const own = page.path.startsWith(`${BASE}/`)
  if (!own) return html`<a class="entry" href=${page.path}>${page.title}</a>`
  const path = page.path.slice(BASE.length)
  const isChosen = path.split('/')[1] === (chosen ?? '')
  return html`<${Link} to=${path} class="entry" aria-current=${isChosen ? 'page' : undefined}>${page.title}<//>`
}
