/** Where each step of the history was scrolled to, by its number; a reload begins anew. */
const places = new Map()
let last = 0
let current = history.state?.step
/** The place to come back to as soon as the page is long enough for it. */
let wanted

/** Makes the state of a further step of the history. */
export function nextStep() {
  wanted = undefined
  current = `${performance.timeOrigin}-${++last}`
  return { step: current }
}

/** Scrolls to where the step was left that the history has come back to, once what it showed is loaded again. */
export function comeBack() {
  current = history.state?.step
  wanted = places.get(current) ?? 0
  scrollToWanted()
}

function scrollToWanted() {
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
  addEventListener(event, () => (wanted = undefined), { passive: true })
