import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addressedWorkspace, chosenWorkspace, hrefOf, pathInWorkspace } from './place.ts'
import { comeBack, nextStep } from './scrolled.ts'
import { mayLeave } from './unsaved.ts'

export { BASE, ROOT } from './place.ts'

const listeners = new Set<() => void>()
let shown = location.href

function tell(): void {
  shown = location.href
  for (const listener of listeners) listener()
}

addEventListener('popstate', () => {
  // Pages, filters and parts of a view follow each other without loss.
  const staysInView = new URL(shown).pathname === location.pathname
  if (!staysInView && !mayLeave()) return history.pushState(nextStep(), '', shown)
  if (addressedWorkspace() !== undefined && addressedWorkspace() !== chosenWorkspace()) return location.reload()
  tell()
  comeBack()
})

/**
 * Shows another view, unless a text would be lost that the reader wants to keep.
 *
 * @param path with its query, below the workspace: `/memories?page=2`; with `staysHere` the page is not scrolled to its beginning
 */
export function navigate(path: string, { replace = false, staysHere = false } = {}): void {
  if (!replace && !mayLeave()) return
  show(path, { replace })
  if (!replace && !staysHere) scrollTo(0, 0)
}

function show(path: string, { replace = false } = {}): void {
  const { href } = new URL(hrefOf(path), location.href)
  // The same address once more is no step to go back.
  if (replace || href === location.href) history.replaceState(history.state, '', href)
  else history.pushState(nextStep(), '', href)
  tell()
}

/** Shows another view once something is done; a reader who has gone elsewhere meanwhile is not called back. */
export async function thenLeave<Done>(work: Promise<Done>, placeOf: (done: Done) => string, replace = true) {
  const place = location.pathname
  const done = await work
  if (location.pathname === place) navigate(placeOf(done), { replace })
}

export interface Address {
  /** Parts of the path below the workspace. */
  readonly parts: string[]
  readonly query: Record<string, string>
  /**
   * Changes members of the query, which is a step to go back; those that become empty are left out, and the page goes
   * unless it is given.
   */
  set(changes: Record<string, unknown>): void
}

/** Tells where the reader is. */
export function useAddress(): Address {
  const [, setCount] = useState(0)
  useEffect(() => {
    const listener = () => setCount(count => count + 1)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
  const path = pathInWorkspace()
  const query = Object.fromEntries(new URLSearchParams(location.search))
  const set = (changes: Record<string, unknown>) => {
    const { page, ...others }: Record<string, unknown> = { ...query, page: undefined, ...changes }
    const entries = Object.entries({ ...others, page }).filter(([, value]) => value !== undefined && value !== '')
    // A reader who has gone elsewhere meanwhile is not called back.
    if (pathInWorkspace() !== path) return
    const words = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    show(words === '' ? path : `${path}?${words}`)
  }
  return { parts: path.split('/').filter(Boolean).map(decoded), query, set }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type LinkProps = { to: string; staysHere?: boolean; text?: ComponentChildren } & JSX.AnchorHTMLAttributes

/** A link to another view, which is shown without loading the console again. */
export function Link({ to, staysHere = false, text, children = text, ...others }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(to, { staysHere })
  }
  return (
    <a href={hrefOf(to)} dir="auto" onClick={follow} {...others}>
      {children}
    </a>
  )
}
