/** Where each step of the history was scrolled to, by its number; a reload begins anew. */
const places = new Map<string | undefined, number>()
let last = 0
let current: string | undefined = history.state?.step
/** The place to come back to as soon as the page is long enough for it. */
let wanted: number | undefined

/** Makes the state of a further step of the history. */
export function nextStep(): { step: string | undefined } {
  wanted = undefined
  current = `${performance.timeOrigin}-${++last}`
  return { step: current }
}

/** Scrolls to where the step was left that the history has come back to, once what it showed is loaded again. */
export function comeBack(): void {
  current = history.state?.step
  wanted = places.get(current) ?? 0
  scrollToWanted()
}

function scrollToWanted(): void {
  if (wanted === undefined || wanted > document.documentElement.scrollHeight - innerHeight) return
  scrollTo(0, wanted)
  wanted = undefined
}

addEventListener('scroll', () => {
  if (wanted === undefined) places.set(current, scrollY)
})
new ResizeObserver(scrollToWanted).observe(document.body)
// Whoever goes elsewhere meanwhile is not called back.
for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(event, forget, { passive: true })

function forget(): void {
  wanted = undefined
}
