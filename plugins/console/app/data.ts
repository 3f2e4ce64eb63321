import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type CallOptions, call } from './api.ts'

const AGAIN_MS = 2000
const AGAIN_LATER_MS = 10_000
/** Slow work is asked for less often: each request counts in the workspace's figures. */
const LATER_AFTER = 30
const LIVE_MS = 15_000
/** A page that nobody turns to any more stops asking. */
const LIVE_TIMES_MAX = 240
/** A service that is away is asked again by itself, ever more rarely. */
const RECOVERY_MS = [4000, 8000, 15_000, 30_000, 60_000]

/** Loads whose data are on the page. */
const shown = new Set<() => Promise<void>>()

/** Loads again all that is on the page. */
export const reloadShown = () => Promise.all([...shown].map(load => load()))

/** Calls what changes something, and has all that is on the page loaded again before it is over. */
export async function change<Body = never>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
  const body = await call<Body>(method, path, options)
  await reloadShown()
  return body
}

/** Loads that failed and are still shown. */
const failed = new Set<() => Promise<void>>()

/** Loads again what failed, since the reason may be gone. */
export function loadFailedAgain(): void {
  for (const load of [...failed]) void load()
}
addEventListener('online', loadFailedAgain)
document.addEventListener('visibilitychange', () => document.hidden || loadFailedAgain())

/** Holds what a view shows, and how far its loading is. */
export interface Loading<Data> {
  readonly data: Data | undefined
  readonly error: Error | undefined
  /** The data are those of an earlier question, or there are none yet. */
  readonly isLoading: boolean
  readonly reload: () => Promise<void>
}

export interface DataOptions {
  /** While it holds of the data and the page is seen, they are loaded again every few seconds. */
  readonly goesOn?: ((data: never) => boolean) | undefined
  /** They are loaded again every quarter of a minute, as long as the page is seen. */
  readonly isLive?: boolean
  /** The request is for no workspace. */
  readonly everywhere?: boolean
  /** The question is too rich for an address, and is sent as the body of a POST that changes nothing. */
  readonly asBody?: boolean
  /** Takes the place of the request that path and query name. */
  readonly read?: (() => Promise<unknown>) | undefined
}

interface State<Data> {
  readonly asked?: string
  readonly data?: Data
  readonly error?: Error | undefined
  readonly failures?: number
}

/**
 * Loads what a view shows, anew whenever the path or the query changes. What is shown stays while it is loaded again, and when that fails.
 *
 * @param path nothing is loaded while it is undefined
 */
export function useData<Data = never>(
  path: string | undefined,
  query: Record<string, unknown> = {},
  { goesOn, isLive = false, everywhere = false, asBody = false, read }: DataOptions = {},
): Loading<Data> {
  const asked = JSON.stringify([path, query])
  const [state, setState] = useState<State<Data>>({})
  const latest = useRef({ asked, begun: 0, shown: 0 })
  latest.current.asked = asked
  const load = useCallback(async () => {
    if (path === undefined) return
    const number = ++latest.current.begun
    const ask = () =>
      asBody ? call<Data>('POST', path, { body: query }) : call<Data>('GET', path, { query, everywhere })
    const outcome = await ((read as () => Promise<Data>) ?? ask)().then(
      data => ({ data, error: undefined, failures: 0 }),
      (error: Error) => ({ error }),
    )
    // A slow response is nothing to show where a later one came before it, or to an earlier question.
    if (latest.current.asked !== asked || number < latest.current.shown) return
    latest.current.shown = number
    setState(({ asked: before, failures = 0, ...shown }) => ({
      ...(before === asked ? shown : {}),
      failures: failures + 1,
      ...outcome,
      asked,
    }))
  }, [asked])
  const newest = useRef(load)
  newest.current = load
  const reload = useCallback(() => newest.current(), [])
  useEffect(() => void load(), [asked])
  useEffect(() => {
    shown.add(reload)
    return () => void shown.delete(reload)
  }, [])
  useRecovery(state, load)
  const isUnderWay = state.data !== undefined && goesOn?.(state.data as never) === true
  useEffect(() => {
    if (isUnderWay) return repeat(load, count => (count < LATER_AFTER ? AGAIN_MS : AGAIN_LATER_MS))
    return isLive ? repeat(load, count => (count < LIVE_TIMES_MAX ? LIVE_MS : undefined)) : undefined
  }, [isUnderWay, isLive, load])
  const isLoading = path !== undefined && state.asked !== asked
  return { data: state.data, error: state.error, isLoading, reload }
}

/** Asks again for what failed, where the fault is the service's or the network's and not of the question. */
function useRecovery({ error, failures = 0 }: State<unknown>, load: () => Promise<void>): void {
  useEffect(() => {
    if (!error) return
    failed.add(load)
    const status: unknown = Reflect.get(error, 'status')
    const waitMs = RECOVERY_MS[Math.min(failures, RECOVERY_MS.length) - 1]
    const isOfService = status === 0 || (typeof status === 'number' && status >= 500)
    const timer = isOfService ? setTimeout(() => document.hidden || void load(), waitMs) : undefined
    return () => {
      failed.delete(load)
      clearTimeout(timer)
    }
  }, [error, load])
}

/** Does it again and again, each time a while after the last was over, as long as the page is seen. */
function repeat(load: () => Promise<void>, waitMsOf: (count: number) => number | undefined): () => void {
  let count = 0
  let hasEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    const waitMs = waitMsOf(count++)
    if (!hasEnded && waitMs !== undefined) timer = setTimeout(again, waitMs)
  }
  async function again() {
    if (!document.hidden) await load()
    wait()
  }
  wait()
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}

/** Something that a button or a form asks for. */
interface Action<Given extends unknown[]> {
  /** Tells whether it succeeded. */
  readonly run: (...given: Given) => Promise<boolean>
  readonly error: Error | undefined
  readonly isBusy: boolean
}

/** Runs what a button or a form asks for, one at a time. */
export function useAction<Given extends unknown[]>(work: (...given: Given) => Promise<unknown>): Action<Given> {
  const [state, setState] = useState<{ error: Error | undefined; isBusy: boolean }>({ error: undefined, isBusy: false })
  const busy = useRef(false)
  const run = async (...given: Given) => {
    if (busy.current) return false
    busy.current = true
    setState({ error: undefined, isBusy: true })
    try {
      await work(...given)
      setState({ error: undefined, isBusy: false })
      return true
    } catch (error) {
      setState({ error: error instanceof Error ? error : new Error(String(error)), isBusy: false })
      return false
    } finally {
      busy.current = false
    }
  }
  return { ...state, run }
}
