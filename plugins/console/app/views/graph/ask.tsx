import { useEffect, useState } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { Asking, TextField, type Values } from '../../forms.tsx'
import { Button, Fault } from '../../parts.tsx'
import { Mark } from './words.tsx'

type Entity = { id: string; name: string; type: string }

export type Answer = { answer: string; confidence: number; entities_used: readonly Entity[] }

type AskProps = { onAnswer: (entities: readonly Entity[]) => void; onChoose: (id: string) => void }

/** A question to the graph; it stands in the address, so that it is answered again when the reader comes back. */
export function Ask({ onAnswer, onChoose }: AskProps) {
  const { query, set } = useAddress()
  const { question = '', user_id } = query
  const [answer, setAnswer] = useState<Answer | undefined>(undefined)
  const { run, error, isBusy } = useAction(async () => {
    const found = await call<Answer>('POST', '/v1/graph/query', { body: { query: question, user_id } })
    setAnswer(found)
    onAnswer(found.entities_used)
  })
  useEffect(() => {
    setAnswer(undefined)
    onAnswer([])
    if (question !== '') void run()
  }, [question, user_id])
  const ask = ({ question: asked }: Values) => {
    if (asked === question) void run()
    else set({ question: asked, entity: '', relationship: '' })
  }
  return (
    <section class="graph-ask" aria-label="Question">
      <Asking class="inline" onAsk={ask}>
        <div class="grow">
          <TextField
            label={<span class="unseen">Ask the graph</span>}
            name="question"
            dir="auto"
            required
            aria-describedby="asked"
            pattern=".*\S.*"
            title="A question in words."
            placeholder="Ask the graph: Where does Ada work?"
            value={question}
          />
        </div>
        <Button type="submit" kind="first" isBusy={isBusy} label="Ask" />
        {question !== '' && <Button onClick={() => set({ question: '' })} label="Clear" />}
      </Asking>
      <div aria-live="polite" class="graph-answer">
        <Fault error={error} />
        {question !== '' && answer && !isBusy ? <Answered {...answer} onChoose={onChoose} /> : <Hint user={user_id} />}
      </div>
    </section>
  )
}

const Hint = ({ user }: { readonly user: string | undefined }) => (
  <p id="asked" class="quiet">
    {user === undefined
      ? 'The graphs of all users are asked. Choose a user, so that “I” means this user.'
      : `The graph of ${user} is asked; “I” means this user.`}
  </p>
)

const RESTS_FROM = 0.5

const Answered = ({ answer, confidence, entities_used, onChoose }: Answer & Pick<AskProps, 'onChoose'>) => (
  <>
    <p class="graph-says" dir="auto">
      {answer}
    </p>
    <p class="quiet">
      The confidence is {Math.round(confidence * 100)} %.{' '}
      {confidence >= RESTS_FROM ? 'The answer rests on a relationship.' : 'No relationship says so.'}
    </p>
    {entities_used.length > 0 && (
      <ul class="row bare" aria-label="Entities that the answer rests on">
        {entities_used.map(({ id, name, type }) => (
          <li key={id}>
            <button type="button" class="graph-chip" onClick={() => onChoose(id)}>
              <Mark type={type} /> <span dir="auto">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </>
)
