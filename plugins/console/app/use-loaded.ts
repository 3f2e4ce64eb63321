import { useEffect, useRef, useState } from 'preact/hooks'
import type { Loading } from './data.ts'

/** Loads what more than one request, or another than a GET, leads to, anew whenever the key changes; nothing while it is undefined. */
export function useLoaded<Data>(key: string | undefined, read: () => Promise<Data>): Loading<Data> {
  const [state, setState] = useState<{ data?: Data; error?: Error }>({})
  const latest = useRef(key)
  latest.current = key
  const load = async () => {
    if (key === undefined) return
    setState({})
    const result = await read().then(
      data => ({ data }),
      (error: Error) => ({ error }),
    )
    if (latest.current === key) setState(result)
  }
  useEffect(() => {
    void load()
  }, [key])
  const { data, error } = state
  return { data, error, isLoading: key !== undefined && !data && !error, reload: load }
}
