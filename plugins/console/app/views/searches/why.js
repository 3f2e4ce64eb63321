import { useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { Field, Form, TextField } from '../../forms.tsx'
import { html, useEffect, useState } from '../../library.js'
import { Button, Card, Loaded } from '../../parts.tsx'
import { useLoaded } from '../../use-loaded.ts'
import { Answer } from './answer.js'
import { Choice } from './choice.js'

const MODES = [
  { value: 'hybrid', title: 'Words and meaning' },
  { value: 'semantic', title: 'Meaning' },
  { value: 'keyword', title: 'Words' },
]

/** Explains for one query and one memory why the query finds it, or does not; the address keeps both. */
export function Why() {
  const { query } = useAddress()
  const [round, setRound] = useState(0)
  const asked = askedIn(query)
  return html`<${Card} title="Why was a memory found, or not?">
    <p class="quiet">
      The search is run again for one memory. It tells its place and what its score is made of, or every reason that
      keeps it out. This search is not counted in the figures.
    </p>
    <${Question} onAsked=${() => setRound(round + 1)} />
    ${asked && html`<${Explained} body=${asked} round=${round} />`}
  <//>`
}

function askedIn({ q, memory, user, mode }) {
  if (!q || !memory) return undefined
  return { query: q, memory_id: memory, user_id: user || undefined, mode: mode || undefined }
}

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

function Question({ onAsked }) {
  const { query, set } = useAddress()
  const [memory, setMemory] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setMemory(query.memory ?? ''), [query.memory])
  const ask = async values => {
    set({ q: values.q, user: values.user.trim(), mode: values.mode, memory: idIn(values.memory) })
    onAsked()
  }
  const choose = id => {
    setMemory(id)
    setChoosing(false)
  }
  return html`
    <${Form} send=${ask} action="Explain">
      <${TextField} label="Query" name="q" dir="auto" required value=${query.q} />
      <${Field}
        label="Memory"
        name="memory"
        required
        value=${memory}
        onInput=${event => setMemory(event.target.value)}
        hint="Its id, or the address of its page."
      />
      <div><${Button} onClick=${() => setChoosing(true)}>Choose a memory<//></div>
      <${TextField}
        label="User"
        name="user"
        dir="auto"
        value=${query.user}
        hint="Only if the search was for one user. Leave it empty to search the memories of all."
      />
      <${Field} label="Searched by" name="mode" options=${MODES} value=${query.mode ?? 'hybrid'} />
    <//>
    ${isChoosing && html`<${Choice} onChoose=${choose} onClose=${() => setChoosing(false)} />`}
  `
}

/** People paste the address of a memory as often as its id. */
const idIn = text => ID.exec(text)?.[0] ?? text.trim()

/** @param {{body: object, round: number}} props the same question is asked anew in another round */
function Explained({ body, round }) {
  const answer = useLoaded(JSON.stringify([body, round]), () => call('POST', '/v1/memories/search/why', { body }))
  return html`<div class="stack" aria-live="polite">
    <${Loaded} from=${answer}>${data => html`<${Answer} answer=${data} />`}<//>
  </div>`
}
