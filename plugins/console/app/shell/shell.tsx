import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { navigate, useAddress } from '../address.tsx'
import { nameSection } from '../document-title.ts'
import { Again, Fault, Head, Skeleton } from '../parts.tsx'
import { chosenWorkspace, hrefOf, ROOT } from '../place.ts'
import type { Page, Session } from '../session.ts'
import { viewOf } from '../views.ts'
import { Menu } from './menu.tsx'
import { Palette } from './palette.tsx'
import { isAt, pathOf } from './paths.ts'
import { showTheme } from './theme.ts'

interface ShellProps {
  readonly session: Session
  readonly onWorkspace: (id: string) => void
  readonly onChanged: () => Promise<void>
  readonly onSignOut: () => void
}

/** The menu beside the view that the address names. */
export function Shell({ session, onWorkspace, onChanged, onSignOut }: ShellProps) {
  const { parts } = useAddress()
  const [isFinding, setFinding] = useState(false)
  const view = useRef<HTMLElement>(null)
  useEffect(() => leadToFirst(session.pages, parts[0]), [])
  useEffect(() => announce(session.pages, parts, view.current), [parts.join('/')])
  useEffect(() => onKeys(() => setFinding(true)), [])
  const isTest = session.workspace.mode === 'test'
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => view.current?.focus()}>
        Skip to the page
      </button>
      <Menu session={session} onWorkspace={onWorkspace} onSignOut={onSignOut} onFind={() => setFinding(true)} />
      <main id="view" class="view" ref={view} tabIndex={-1}>
        {isTest && <p class="band">Test data. Keys of the mode test work here, and nothing of it is live.</p>}
        <Guarded key={parts[0]} place={parts.join('/')}>
          <View session={session} parts={parts} onChanged={onChanged} onWorkspace={onWorkspace} />
        </Guarded>
      </main>
      {isFinding && <Palette session={session} onClose={() => setFinding(false)} />}
    </div>
  )
}

type ViewProps = Omit<ShellProps, 'onSignOut'> & { parts: readonly string[] }

function View({ session, parts: [name, ...others], onChanged, onWorkspace }: ViewProps) {
  if (name === 'x') return <Foreign key={others[0]} pages={session.pages} path={`/x/${others.join('/')}`} />
  const Named = viewOf(name)
  if (!Named) return <Head title="There is no such page" about="The menu lists those that there are." />
  return <Named session={session} onChanged={onChanged} onWorkspace={onWorkspace} />
}

/** A view that cannot be drawn leaves the menu as it is, and may be drawn at another place. */
function Guarded({ place, children }: { readonly place: string; readonly children: ComponentChildren }) {
  const [error, forget] = useErrorBoundary()
  useEffect(() => forget(), [place])
  if (!error) return <>{children}</>
  return (
    <>
      <Fault error={new Error(`This page cannot be shown: ${error.message}`)} />
      <Again onClick={forget} />
    </>
  )
}

/** The console begins with its first view, where the one at its address is left out of the menu. */
function leadToFirst(pages: readonly Page[], name: string | undefined): void {
  const own = pages.map(pathOf)
  const [first] = own
  if (name === undefined && first !== undefined && !own.includes('/')) navigate(first, { replace: true })
}

/** Names the view in the history, and has those that hear or type begin at its start. */
function announce(pages: readonly Page[], parts: readonly string[], view: HTMLElement | null): void {
  nameSection(pages.find(page => isAt(page, parts))?.title ?? '')
  view?.focus({ preventScroll: true })
}

/** `Ctrl K` finds everything, and `/` leads to the search field of the page where it has one. */
function onKeys(find: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
    if (!isCommand && (event.key !== '/' || isTyping)) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    const field = isCommand ? null : document.querySelector<HTMLInputElement>('main input[type=search]')
    if (field) field.select()
    else find()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

interface ForeignProps {
  readonly pages: readonly Page[]
  /** Where the page is on the service: `/x/gallery/`. */
  readonly path: string
}

/** A page of a plugin, which is a document of its own, beside the menu. It gets the workspace and the colours. */
function Foreign({ pages, path }: ForeignProps) {
  const page = pages.find(each => `${path}/`.startsWith(pathOf(each)))
  const [isLoaded, setLoaded] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const [first] = useState(() => addressOf(path))
  if (!page) return <Head title="There is no such page" about="The menu lists those that there are." />
  const show = () => {
    setLoaded(true)
    const inside = frame.current?.contentWindow
    if (!inside || frame.current?.contentDocument === null) return
    showTheme(inside.document)
    // A link that is copied, and going back, lead to the same place inside.
    const place = inside.location.pathname.slice(ROOT.length)
    history.replaceState(history.state, '', hrefOf(place))
  }
  return (
    <>
      {!isLoaded && <Skeleton />}
      <iframe class="foreign" ref={frame} title={page.title} src={first} onLoad={show} />
    </>
  )
}

function addressOf(path: string): string {
  const query = new URLSearchParams(location.search)
  query.set('workspace_id', chosenWorkspace() ?? '')
  return `${ROOT}${path.replace(/^(\/x\/[^/]+)$/, '$1/')}?${query}`
}
