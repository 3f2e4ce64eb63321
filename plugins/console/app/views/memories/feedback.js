import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { html, useEffect, useRef, useState } from '../../library.js'
import { Button, Fault } from '../../parts.tsx'

/** Tells the service whether a result served its search. */
export function Feedback({ id, queryHash }) {
  const [isGiven, setGiven] = useState(false)
  const { run, error, isBusy } = useAction(async signal => {
    await call('POST', `/v1/memories/${id}/feedback`, { body: { signal, query_hash: queryHash } })
    setGiven(true)
  })
  const thanks = useRef(null)
  // The button that had the focus is gone.
  useEffect(() => {
    if (isGiven) thanks.current.focus()
  }, [isGiven])
  return html`
    <p class="quiet" role="status" tabindex="-1" ref=${thanks}>${isGiven && 'Thank you. Searches like this one learn from it.'}</p>
    ${
      !isGiven &&
      html`<div class="row" role="group" aria-label="Rate this result">
        <${Button} kind="link" isBusy=${isBusy} onClick=${() => run('POSITIVE')}>Mark as helpful<//>
        <${Button} kind="link" isBusy=${isBusy} onClick=${() => run('NEGATIVE')}>Mark as not helpful<//>
      </div>`
    }
    <${Fault} error=${error} />
  `
}
