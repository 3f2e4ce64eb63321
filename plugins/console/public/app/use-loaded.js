import { useEffect, useRef, useState } from './library.js'

/**
 * Loads what more than one request, or another than a GET, leads to, anew whenever the key changes.
 *
 * @template T
 * @param {string | undefined} key nothing is loaded while it is undefined
 * @param {() => Promise<T>} read
 * @returns {{data: T | undefined, error: Error | undefined, reload: () => Promise<void>}} as `Loaded` takes it
 */
export function useLoaded(key, read) {
  const [state, setState] = useState({ data: undefined, error: undefined })
  const latest = useRef(key)
  latest.current = key
  const load = async () => {
    if (key === undefined) return
    setState({ data: undefined, error: undefined })
    const result = await read().then(
      data => ({ data, error: undefined }),
      error => ({ data: undefined, error }),
    )
    if (latest.current === key) setState(result)
  }
  useEffect(() => {
    void load()
  }, [key])
  return { ...state, reload: load }
}
