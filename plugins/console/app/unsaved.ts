import { useEffect, useMemo } from 'preact/hooks'

const QUESTION = 'Something here is not saved and is lost when you leave. Do you want to leave?'

/** Parts of the page that hold what is not saved, with their elements. */
const unsaved = new Map<object, Node>()

addEventListener('beforeunload', event => {
  if (unsaved.size > 0) event.preventDefault()
})

/** Asks before what is not saved is left. @param within what is left; all of the page by default */
export function mayLeave(within: Node = document): boolean {
  const lost = [...unsaved].filter(([, element]) => within.contains(element))
  if (lost.length === 0) return true
  const isWanted = confirm(QUESTION)
  if (isWanted) for (const [part] of lost) unsaved.delete(part)
  return isWanted
}

/** Remembers whether a part of the page holds what is not saved, as long as it is shown. */
export function useUnsaved() {
  const mark = useMemo(() => {
    const part = { isShown: true }
    const note = (element: Node) => {
      if (part.isShown) unsaved.set(part, element)
    }
    const forget = () => void unsaved.delete(part)
    const leave = () => {
      part.isShown = false
      forget()
    }
    return { note, forget, leave }
  }, [])
  useEffect(() => mark.leave, [])
  return mark
}
