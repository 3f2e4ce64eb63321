import { html, useEffect, useState } from './library.js'
import { comeBack, nextStep } from './scrolled.js'
import { mayLeave } from './unsaved.js'

/** The path that everything lies below, without a slash at the end: empty unless the service has one. */
export const ROOT = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** All views lie below this path. */
export const BASE = `${ROOT}/console`

const listeners = new Set()
let shown = location.href

function tell() {
  shown = location.href
  for (const listener of listeners) listener()
}

addEventListener('popstate', () => {
  // Pages, filters and parts of a view follow each other without loss.
  const staysInView = new URL(shown).pathname === location.pathname
  if (staysInView || mayLeave()) {
    tell()
    comeBack()
  } else history.pushState(nextStep(), '', shown)
})

/**
 * Shows another view, unless a text would be lost that the reader wants to keep.
 *
 * @param {string} path with its query, below the console: `/memories?page=2`
 */
export function navigate(path, { replace = false } = {}) {
  if (!replace && !mayLeave()) return
  show(path, { replace })
  if (!replace) scrollTo(0, 0)
}

function show(path, { replace = false } = {}) {
  const { href } = new URL(`${BASE}${path}`, location.href)
  // The same address once more is no step to go back.
  if (replace || href === location.href) history.replaceState(history.state, '', href)
  else history.pushState(nextStep(), '', href)
  tell()
}

/**
 * Tells where the reader is: the parts of the path below the console, and the query.
 *
 * @returns {{parts: string[], query: Record<string, string>, set: (changes: Record<string, unknown>) => void}} `set` changes members of
 * the query, which is a step to go back; those that become empty are left out, and the page goes unless it is given
 */
export function useAddress() {
  const [, setCount] = useState(0)
  useEffect(() => {
    const listener = () => setCount(count => count + 1)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, [])
  const path = location.pathname.slice(BASE.length)
  const query = Object.fromEntries(new URLSearchParams(location.search))
  const set = changes => {
    const { page, ...others } = { ...query, page: undefined, ...changes }
    const entries = Object.entries({ ...others, page }).filter(([, value]) => value !== undefined && value !== '')
    // A reader who has gone elsewhere meanwhile is not called back.
    if (location.pathname !== `${BASE}${path}`) return
    const words = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
    show(words === '' ? path : `${path}?${words}`)
  }
  return { parts: path.split('/').filter(Boolean).map(decoded), query, set }
}

function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A link to another view, which is shown without loading the console again. */
export function Link({ to, children, ...others }) {
  const follow = event => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(to)
  }
  return html`<a href=${`${BASE}${to}`} onClick=${follow} ...${others}>${children}</a>`
}
