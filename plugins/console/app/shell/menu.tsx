import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useAddress } from '../address.tsx'
import { Select } from '../forms.tsx'
import icon from '../icon.svg'
import { Icon } from '../icons.tsx'
import { Button } from '../parts.tsx'
import { ROOT } from '../place.ts'
import type { Page, Session } from '../session.ts'
import { mayLeave } from '../unsaved.ts'
import { grouped, isAt, pathOf } from './paths.ts'
import { chooseTheme, THEMES, type Theme, theme } from './theme.ts'

type MenuProps = { session: Session; onWorkspace: (id: string) => void; onSignOut: () => void; onFind: () => void }

/** The pages in groups, with the workspace above them and the account below; on a phone it opens above the page. */
export function Menu({ session, onWorkspace, onSignOut, onFind }: MenuProps) {
  const { parts } = useAddress()
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLElement>(null)
  useEffect(() => setOpen(false), [parts[0]])
  useEffect(
    () => menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [parts[0], isOpen],
  )
  return (
    <>
      <header class="bar">
        <Button kind="icon" icon="menu" aria-label="Menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        <Brand />
        <Button kind="icon" icon="search" aria-label="Find or go to" onClick={onFind} />
      </header>
      <nav class={isOpen ? 'menu open' : 'menu'} aria-label="Console" ref={menu}>
        <Brand />
        <Workspaces session={session} onWorkspace={onWorkspace} />
        <button type="button" class="find" onClick={onFind}>
          <Icon name="search" /> <span>Find or go to …</span> <kbd>Ctrl K</kbd>
        </button>
        <div class="groups">
          {grouped(session.pages).map(({ title, pages }) => (
            <section key={title}>
              <h2>{title}</h2>
              <ul>
                {pages.map(page => (
                  <Entry key={page.path} page={page} parts={parts} />
                ))}
                {title === 'Connect' && (
                  <li>
                    <a href={`${ROOT}/docs`} class="entry">
                      <Icon name="code" /> API reference
                    </a>
                  </li>
                )}
              </ul>
            </section>
          ))}
        </div>
        <Account email={session.email} onSignOut={onSignOut} />
      </nav>
    </>
  )
}

const Brand = () => (
  <p class="brand">
    <img src={icon} alt="" width="22" height="22" /> Mneme
  </p>
)

const Entry = ({ page, parts }: { readonly page: Page; readonly parts: readonly string[] }) => (
  <li>
    <Link to={pathOf(page)} class="entry" aria-current={isAt(page, parts) ? 'page' : undefined}>
      <Icon name={page.icon} /> {page.title}
    </Link>
  </li>
)

function Workspaces({ session: { workspaces, workspace }, onWorkspace }: Pick<MenuProps, 'session' | 'onWorkspace'>) {
  const options = workspaces.map(({ id, name, mode }) => [id, mode === 'test' ? `${name} (test)` : name] as const)
  const choose = ({ currentTarget }: { currentTarget: HTMLSelectElement }) => {
    if (mayLeave()) onWorkspace(currentTarget.value)
    else currentTarget.value = workspace.id
  }
  return (
    <div class="workspace">
      <Select name="workspace" aria-label="Workspace" options={options} value={workspace.id} onChange={choose} />
    </div>
  )
}

const THEME_ICONS: Readonly<Record<Theme, string>> = { system: 'monitor', light: 'sun', dark: 'moon' }

function Account({ email, onSignOut }: { readonly email: string; readonly onSignOut: () => void }) {
  const [shown, setShown] = useState(theme())
  const next = THEMES[(THEMES.indexOf(shown) + 1) % THEMES.length] ?? 'system'
  const choose = () => {
    chooseTheme(next)
    setShown(next)
  }
  return (
    <div class="account">
      <span class="email" title={email}>
        {email}
      </span>
      <Button
        kind="icon"
        icon={THEME_ICONS[shown]}
        aria-label={`Colours: ${shown}. Change to ${next}`}
        title={`Colours: ${shown}`}
        onClick={choose}
      />
      <Button kind="icon" icon="leave" aria-label="Sign out" title="Sign out" onClick={onSignOut} />
    </div>
  )
}
