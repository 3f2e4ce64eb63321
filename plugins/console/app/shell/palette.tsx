import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { navigate } from '../address.tsx'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog } from '../forms.tsx'
import { Icon } from '../icons.tsx'
import type { Page, Session } from '../session.ts'
import { pathOf } from './paths.ts'

type Entry = { group: string; title: string; about?: string; icon: string; to: string }

const WAIT_MS = 180
const FOUND_MAX = 5

/** Goes to a page, finds a memory, an entity or a user, or begins something new, by a few letters of it. */
export function Palette({ session, onClose }: { readonly session: Session; readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = useFound(text.trim(), session.pages)
  const entries = [...placesOf(text, session.pages), ...found.entries]
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [at])
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    navigate(entry.to)
  }
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') open(entries[at])
    else return
    event.preventDefault()
  }
  const type = (value: string) => {
    setText(value)
    setAt(0)
  }
  return (
    <Dialog title="Find or go to" class="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Find or go to"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries[at] ? `${id}-${at}` : undefined}
        placeholder="A page, a memory, an entity, a user …"
        autocomplete="off"
        dir="auto"
        autofocus
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
      />
      <div id={id} class="choices" role="listbox" aria-label="What is found" ref={list}>
        {entries.map((entry, n) => (
          <div
            key={`${entry.group} ${entry.to}`}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            onMouseMove={() => setAt(n)}
            onClick={() => open(entry)}
            onKeyDown={press}
          >
            <Icon name={entry.icon} />
            <span class="name" dir="auto">
              {entry.title}
            </span>
            <small class="quiet">{entry.about ?? entry.group}</small>
          </div>
        ))}
        {entries.length === 0 && (
          <p class="quiet" role="status">
            {found.isPending ? 'Looking …' : 'Nothing of this name. Other words may find it.'}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const NEW: readonly (Entry & { page: string })[] = [
  { page: 'memories', group: 'New', title: 'Add a memory', icon: 'plus', to: '/memories?open=add' },
  { page: 'imports', group: 'New', title: 'Add a file or a web page', icon: 'plus', to: '/imports' },
  { page: 'keys', group: 'New', title: 'Create an API key', icon: 'plus', to: '/keys' },
  { page: 'webhooks', group: 'New', title: 'Create a webhook', icon: 'plus', to: '/webhooks' },
]

function placesOf(text: string, pages: readonly Page[]): Entry[] {
  const wanted = text.trim().toLowerCase()
  const places = pages.map(page => ({ group: 'Go to', title: page.title, icon: page.icon, to: pathOf(page) }))
  const begun = NEW.filter(({ page }) => pages.some(({ id }) => id === page))
  return [...places, ...begun].filter(({ title }) => title.toLowerCase().includes(wanted))
}

/** Asks for what the words name once typing pauses. */
function useFound(text: string, pages: readonly Page[]): { entries: Entry[]; isPending: boolean } {
  const [found, setFound] = useState<{ text: string; entries: Entry[] }>({ text: '', entries: [] })
  const users = useData<{ id: string; type: string }[]>('/v1/memories/entities').data ?? []
  const has = (page: string) => pages.some(({ id }) => id === page)
  useEffect(() => {
    if (text.length < 2) return
    let isOver = false
    const timer = setTimeout(async () => {
      const asked = [has('memories') && memoriesOf(text), has('graph') && entitiesOf(text)]
      const lists = await Promise.all(asked.map(async list => (list ? await list.catch(() => []) : [])))
      if (!isOver) setFound({ text, entries: lists.flat() })
    }, WAIT_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [text])
  if (text.length < 2) return { entries: [], isPending: false }
  const named = users.filter(({ id, type }) => type === 'user' && id.toLowerCase().includes(text.toLowerCase()))
  const people = named.slice(0, FOUND_MAX).map(({ id }) => ({
    group: 'User',
    title: id,
    icon: 'person',
    to: `/memories?user_id=${encodeURIComponent(id)}`,
  }))
  const isPending = found.text !== text
  return { entries: isPending ? people : [...people, ...found.entries], isPending }
}

async function memoriesOf(search: string): Promise<Entry[]> {
  const query = { search, page_size: FOUND_MAX }
  const { data } = await call<{ data: { id: string; memory: string; user_id: string }[] }>('GET', '/v1/memories', {
    query,
  })
  return data.map(({ id, memory, user_id }) => ({
    group: 'Memory',
    title: memory.slice(0, 120),
    about: user_id,
    icon: 'notes',
    to: `/memories/${id}`,
  }))
}

async function entitiesOf(text: string): Promise<Entry[]> {
  const query = { query: text, limit: FOUND_MAX }
  const found = await call<{ id: string; name: string; type: string }[]>('GET', '/v1/graph/search', { query })
  return found.map(({ id, name, type }) => ({
    group: 'Entity',
    title: name,
    about: type.toLowerCase(),
    icon: 'share',
    to: `/graph/${id}`,
  }))
}
