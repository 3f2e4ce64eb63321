import { call } from './api.js'
import { useCallback, useEffect, useRef, useState } from './library.js'

/**
 * Loads what a view shows, anew whenever the path or the query changes.
 *
 * @param {string | undefined} path nothing is loaded while it is undefined
 * @param {Record<string, unknown>} [query]
 * @param {object} [options]
 * @param {(data: any) => boolean} [options.goesOn] while it holds of the data, they are loaded again every two seconds
 * @param {boolean} [options.everywhere] the request is for no workspace
 * @returns {{data: any, error: Error | undefined, isLoading: boolean, reload: () => Promise<void>}}
 */
export function useData(path, query = {}, { goesOn, everywhere = false } = {}) {
  const [state, setState] = useState({ data: undefined, error: undefined, isLoading: path !== undefined })
  const asked = JSON.stringify([path, query])
  const latest = useRef(asked)
  latest.current = asked
  const load = useCallback(async () => {
    if (path === undefined) return
    const outcome = await call('GET', path, { query, everywhere }).then(
      data => ({ asked, data, error: undefined }),
      error => ({ asked, error }),
    )
    // A slow response to an earlier question is nothing to show; what is shown stays when it cannot be loaded again.
    if (latest.current !== asked) return
    setState(before => ({ ...(before.asked === asked ? before : { data: undefined }), ...outcome, isLoading: false }))
  }, [asked])
  useEffect(() => {
    setState(before => ({ ...before, isLoading: path !== undefined }))
    void load()
  }, [asked])
  const isUnderWay = state.data !== undefined && goesOn?.(state.data) === true
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(load, 2000)
    return () => clearInterval(timer)
  }, [isUnderWay, load])
  return { ...state, reload: load }
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
  return { ...state, run, forget: () => setState({ error: undefined, isBusy: false }) }
}
