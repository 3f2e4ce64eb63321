import { call } from './api.js'
import { useCallback, useEffect, useRef, useState } from './library.js'

const AGAIN_MS = 2000
const AGAIN_LATER_MS = 10_000
/** What takes long is asked for less often: each request counts in the workspace's figures. */
const LATER_AFTER = 30

/** Loads that failed and are still shown. */
const failed = new Set()

/** Loads again what failed, since the reason may be gone. */
export function loadFailedAgain() {
  for (const load of [...failed]) void load()
}

/**
 * Loads what a view shows, anew whenever the path or the query changes. What is shown stays while it is loaded again, and when that fails.
 *
 * @param {string | undefined} path nothing is loaded while it is undefined
 * @param {Record<string, unknown>} [query]
 * @param {object} [options]
 * @param {(data: any) => boolean} [options.goesOn] while it holds of the data and the page is seen, they are loaded again every few seconds
 * @param {boolean} [options.everywhere] the request is for no workspace
 * @returns {{data: any, error: Error | undefined, isLoading: boolean, reload: () => Promise<void>}} `isLoading`: the data are those of an
 * earlier question, or there are none yet
 */
export function useData(path, query = {}, { goesOn, everywhere = false } = {}) {
  const asked = JSON.stringify([path, query])
  const [state, setState] = useState({ asked: undefined, data: undefined, error: undefined })
  const latest = useRef({ asked, begun: 0, shown: 0 })
  latest.current.asked = asked
  const load = useCallback(async () => {
    if (path === undefined) return
    const number = ++latest.current.begun
    const outcome = await call('GET', path, { query, everywhere }).then(
      data => ({ data, error: undefined }),
      error => ({ error }),
    )
    // A slow response is nothing to show where a later one came before it, or to an earlier question.
    if (latest.current.asked !== asked || number < latest.current.shown) return
    latest.current.shown = number
    setState(before => ({ ...(before.asked === asked ? before : { data: undefined }), ...outcome, asked }))
  }, [asked])
  const newest = useRef(load)
  newest.current = load
  const reload = useCallback(() => newest.current(), [])
  useEffect(() => void load(), [asked])
  const hasFailed = state.error !== undefined
  useEffect(() => {
    if (hasFailed) failed.add(load)
    return () => void failed.delete(load)
  }, [hasFailed, load])
  const isUnderWay = state.data !== undefined && goesOn?.(state.data) === true
  useEffect(() => (isUnderWay ? repeat(load) : undefined), [isUnderWay, load])
  return { data: state.data, error: state.error, isLoading: path !== undefined && state.asked !== asked, reload }
}

/** Does it again and again, each time a while after the last was over, as long as the page is seen. */
function repeat(load) {
  let count = 0
  let timer = setTimeout(again, AGAIN_MS)
  async function again() {
    if (!document.hidden) await load()
    if (timer !== undefined) timer = setTimeout(again, ++count < LATER_AFTER ? AGAIN_MS : AGAIN_LATER_MS)
  }
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}

/**
 * Runs what a button or a form asks for, one at a time.
 *
 * @param {(...given: any[]) => Promise<unknown>} work
 * @returns {{run: (...given: any[]) => Promise<boolean>, error: Error | undefined, isBusy: boolean, forget: () => void}} `run` tells
 * whether it succeeded
 */
export function useAction(work) {
  const [state, setState] = useState({ error: undefined, isBusy: false })
  const busy = useRef(false)
  const run = async (...given) => {
    if (busy.current) return false
    busy.current = true
    setState({ error: undefined, isBusy: true })
    try {
      await work(...given)
      setState({ error: undefined, isBusy: false })
      return true
    } catch (error) {
      setState({ error, isBusy: false })
      return false
    } finally {
      busy.current = false
    }
  }
  return { ...state, run, forget: () => setState(before => ({ ...before, error: undefined })) }
}
