import { Link, useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { TextField } from '../../forms.tsx'
import { html, useEffect, useState } from '../../library.js'
import { Button, Card, Fault } from '../../parts.tsx'
import { TypeMark } from './words.js'

/** A question to the graph; it stands in the address, so that it is answered again when the reader comes back. */
export function Ask() {
  const { query, set } = useAddress()
  const [count, setCount] = useState(0)
  const submit = event => {
    event.preventDefault()
    setCount(count + 1)
    set({ question: new FormData(event.target).get('question').trim(), page: query.page })
  }
  const { question = '', user_id } = query
  return html`<${Card} title="Ask the graph">
    <form class="inline" onSubmit=${submit}>
      <div class="grow">
        <${TextField}
          label="Question"
          name="question"
          dir="auto"
          required
          aria-describedby="asked"
          pattern=".*\\S.*"
          title="A question in words."
          placeholder="Where does Ada work?"
          value=${question}
        />
      </div>
      <${Button} type="submit" kind="first">Ask<//>
      ${question !== '' && html`<${Button} onClick=${() => set({ question: '', page: query.page })}>Clear<//>`}
    </form>
    <p id="asked"><small class="quiet">${hint(user_id)}</small></p>
    ${
      question !== '' &&
      html`<${Answer} key=${JSON.stringify([question, user_id, count])} question=${question} user=${user_id} />`
    }
  <//>`
}

const hint = user =>
  user === undefined
    ? 'The graphs of all users are asked. Choose a user, so that “I” means this user.'
    : html`The graph of <b dir="auto">${user}</b> is asked; “I” means this user.`

function Answer({ question, user }) {
  const [answer, setAnswer] = useState(undefined)
  const { run, error } = useAction(async () => {
    setAnswer(await call('POST', '/v1/graph/query', { body: { query: question, user_id: user } }))
  })
  useEffect(() => {
    void run()
  }, [])
  return html`<div aria-live="polite" class="graph-answer">
    <${Fault} error=${error} />
    ${!error && !answer && html`<p class="quiet">The graph is read …</p>`}
    ${answer && html`<${Answered} ...${answer} />`}
  </div>`
}

function Answered({ answer, confidence, entities_used }) {
  return html`
    <p class="graph-says" dir="auto">${answer}</p>
    <p class="quiet">The confidence is ${Math.round(confidence * 100)} %. ${rests(confidence)}</p>
    ${
      entities_used.length > 0 &&
      html`<ul class="row bare" aria-label="Entities that the answer rests on">
        ${entities_used.map(
          ({ id, name, type }) =>
            html`<li key=${id}><${TypeMark} type=${type} /> <${Link} to=${`/graph/${id}`} dir="auto">${name}<//></li>`,
        )}
      </ul>`
    }
  `
}

const RESTS_FROM = 0.5

const rests = confidence =>
  confidence >= RESTS_FROM ? 'The answer rests on a relationship.' : 'No relationship says so.'
