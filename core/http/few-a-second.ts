/** Beyond so many a second everybody gets the last result. */
const RUNS_MAX = 10
const SECOND_MS = 1000

/**
 * Makes work that anyone may ask for at any rate bearable: those who ask while it runs share that run, and whoever asks more often than
 * ten times a second gets the last result, which is less than a second old. One that fails is not kept.
 * @param now milliseconds of a clock that never goes back
 */
export function fewASecond<T>(work: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let running: Promise<T> | undefined
  let last: { readonly result: T } | undefined
  let began = Number.NEGATIVE_INFINITY
  let runs = 0
  return async () => {
    if (running) return running
    if (now() - began >= SECOND_MS) {
      began = now()
      runs = 0
      last = undefined
    }
    if (last && runs >= RUNS_MAX) return last.result
    runs++
    running = work().finally(() => {
      running = undefined
    })
    last = { result: await running }
    return last.result
  }
}
