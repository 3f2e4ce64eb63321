import { useEffect, useMemo } from './library.js'

const QUESTION = 'What you typed is not saved. Do you want to leave it?'

/** Forms in which a text was typed since they were shown or sent. */
const unsaved = new Set()

addEventListener('beforeunload', event => {
  if (unsaved.size > 0) event.preventDefault()
})

/** Asks before texts that are not saved are left. @returns {boolean} */
export function mayLeave() {
  if (unsaved.size === 0) return true
  const isWanted = confirm(QUESTION)
  if (isWanted) unsaved.clear()
  return isWanted
}

/**
 * Remembers whether a form holds a text that is not saved, as long as it is on the page.
 *
 * @returns {{note: () => void, forget: () => void}}
 */
export function useUnsaved() {
  const mark = useMemo(() => {
    const form = { isShown: true }
    const note = () => {
      if (form.isShown) unsaved.add(form)
    }
    const forget = () => void unsaved.delete(form)
    const leave = () => {
      form.isShown = false
      forget()
    }
    return { note, forget, leave }
  }, [])
  useEffect(() => mark.leave, [])
  return mark
}
