import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { html, useEffect, useState } from '../../library.js'
import { Button, Fault, Notice } from '../../parts.tsx'

/** The API does not tell when a compilation is over; most take a few seconds. */
const WATCHED_MS = 20_000

/**
 * Tells whether knowledge may be changing, so that what is shown is loaded again for a while.
 *
 * @returns {{isWatched: boolean, begin: () => void}}
 */
export function useCompilation() {
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (begun === 0) return
    const timer = setTimeout(() => setBegun(0), WATCHED_MS)
    return () => clearTimeout(timer)
  }, [begun])
  return { isWatched: begun !== 0, begin: () => setBegun(Date.now()) }
}

/** A button that compiles the knowledge of a user, or one category of it, without waiting. */
export function Compile({ user, category, compilation }) {
  const [message, setMessage] = useState(undefined)
  const { run, error, isBusy } = useAction(async () => {
    const told = await call('POST', '/v1/knowledge/compile', { body: { user_id: user, category } })
    setMessage(told.message)
    compilation.begin()
  })
  return html`
    <${Button} isBusy=${isBusy} onClick=${run}>Compile now<//>
    <${Fault} error=${error} />
    ${message && !error && compilation.isWatched && html`<${Notice} kind="good"><p>${message}</p><//>`}
  `
}
