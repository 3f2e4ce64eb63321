import type { JSX } from 'preact'

/** The arrows lead from the search field into the list, and along its memories. */
export function walk(event: JSX.TargetedKeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const links = [...document.querySelectorAll<HTMLElement>('table.memories a')]
  const at = links.findIndex(link => link.contains(document.activeElement))
  const isSearch = event.target instanceof HTMLInputElement && event.target.type === 'search'
  if (step === 0 || (at < 0 && !(isSearch && step > 0))) return
  event.preventDefault()
  links[Math.max(0, at + step)]?.focus()
}
