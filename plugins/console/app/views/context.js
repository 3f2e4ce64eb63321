import { useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { html, useState } from '../library.js'
import { Card, Head, Loaded } from '../parts.tsx'
import { useLoaded } from '../use-loaded.ts'
import { Assembled } from './context/assembled.js'
import { Question } from './context/question.js'
import { Known } from './memories/known.tsx'

const ABOUT =
  'What an agent is told before it answers a message: profile, facts and memories, as one text for a prompt.'

/** Shows the context of a message; the address keeps the message, so that it is assembled again when the reader comes back. */
export function Context() {
  const { query, set } = useAddress()
  const [round, setRound] = useState(0)
  const ask = values => {
    setRound(round + 1)
    set(values)
  }
  const body = bodyOf(query)
  return html`
    <${Head} title="Context" about=${ABOUT} />
    <${Known} />
    <${Card} title="The message">
      <${Question} query=${query} onAsked=${ask} />
    <//>
    ${body && html`<${Answer} body=${body} round=${round} />`}
  `
}

function bodyOf({ message, categories, max_characters, ...owners }) {
  if (!message) return undefined
  return {
    query: message,
    user_id: owners.user_id,
    agent_id: owners.agent_id,
    session_id: owners.session_id,
    ...(categories === undefined ? {} : { categories: [categories] }),
    ...(max_characters === undefined ? {} : { max_characters: Number(max_characters) }),
  }
}

/** @param {{body: object, round: number}} props the same message is asked for anew in another round */
function Answer({ body, round }) {
  const answer = useLoaded(JSON.stringify([body, round]), () => call('POST', '/v1/context', { body }))
  return html`<div class="stack" aria-live="polite">
    <${Loaded} from=${answer}>${data => html`<${Assembled} ...${data} />`}<//>
  </div>`
}
