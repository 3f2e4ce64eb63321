import type { AskGraphResult, FoundEntity } from '@mneme/client'
import { useEffect } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Asking, TextField, type Values } from '../../forms.tsx'
import { Button, type Column, Empty, Fault, Loaded, Table } from '../../parts.tsx'
import type { Named } from './entity.tsx'
import { Chip, EntityLink, Mark, TypeMark } from './words.tsx'

const FOUND_MAX = 50

/** Finds entities by a name, or by what they are. */
export function SearchForm() {
  const { query, set } = useAddress()
  const { search = '' } = query
  const ask = (values: Values) => set({ search: values.search, question: '', entity: '', relationship: '' })
  const field = { name: 'search', type: 'search', dir: 'auto', placeholder: 'Name, or what it is' } as const
  return (
    <search aria-label="Entities">
      <Asking class="graph-search" onAsk={ask}>
        <TextField label="Find an entity" value={search} {...field} />
        <Button type="submit" label="Search" />
        {search !== '' && <Button onClick={() => set({ search: '' })} label="Show all" />}
      </Asking>
    </search>
  )
}

interface FoundProps {
  readonly isList: boolean
  readonly onFound: (found: readonly Named[]) => void
  readonly onChoose: (id: string) => void
  /** Tells entities of one name apart. */
  readonly userOf: (id: string) => string | undefined
}

/** Results are worth a light that are so near, compared with the nearest. */
const LIT_FROM = 0.8

/** What a search found: as a table, or beside the picture that lights it up. */
export function Found({ isList, onFound, onChoose, userOf }: FoundProps) {
  const { search, user_id } = useAddress().query
  const found = useData<readonly FoundEntity[]>('/v1/graph/search', { query: search, user_id, limit: FOUND_MAX })
  useEffect(() => {
    const best = found.data?.[0]?.score ?? 0
    onFound(found.data?.filter(({ score }) => score >= LIT_FROM * best) ?? [])
    return () => onFound([])
  }, [found.data])
  const results = (
    <Loaded from={found}>
      {entities =>
        entities.length === 0 ? (
          <Empty title="Nothing found" text="Try another name, or choose another user." />
        ) : isList ? (
          <Table label="Entities found" columns={COLUMNS} rows={entities} />
        ) : (
          <ul class="graph-found">
            {entities.map(({ id, name, type, description }) => (
              <li key={id}>
                <button type="button" onClick={() => onChoose(id)}>
                  <Mark type={type} />
                  <span dir="auto">{name}</span>
                  <small class="quiet" dir="auto">
                    {[description, userOf(id) && `of ${userOf(id)}`].filter(Boolean).join(', ')}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
  if (isList) return results
  return (
    <aside class="graph-panel" aria-label="Found">
      <h2>Found</h2>
      {results}
    </aside>
  )
}

const COLUMNS: readonly Column<FoundEntity>[] = [
  ['Name', EntityLink],
  ['Type', ({ type }) => <TypeMark type={type} />],
  ['Description', ({ description }) => <span dir="auto">{description ?? '–'}</span>],
  ['Nearness', ({ score }) => `${Math.round(score * 100)} %`, 'number'],
]

type AskProps = { onAnswer: (entities: readonly Named[]) => void; onChoose: (id: string) => void }

/** A question to the graph; it stands in the address, so that it is answered again when the reader comes back. */
export function Ask({ onAnswer, onChoose }: AskProps) {
  const { query, set } = useAddress()
  const { question = '', user_id } = query
  const body = { query: question, user_id }
  const found = useData<AskGraphResult>(question ? '/v1/graph/query' : undefined, body, { asBody: true })
  const answer = question === '' || found.isLoading ? undefined : found.data
  useEffect(() => onAnswer(answer?.entities_used ?? []), [answer])
  const ask = ({ question: asked }: Values) => {
    if (asked === question) void found.reload()
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
        <Button type="submit" kind="first" isBusy={found.isLoading} label="Ask" />
        {question !== '' && <Button onClick={() => set({ question: '' })} label="Clear" />}
      </Asking>
      <div aria-live="polite" class="graph-answer">
        <Fault error={question === '' ? undefined : found.error} />
        {answer ? <Answered {...answer} onChoose={onChoose} /> : <Hint user={user_id} />}
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

const Answered = ({ answer, confidence, entities_used, onChoose }: AskGraphResult & Pick<AskProps, 'onChoose'>) => (
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
            <Chip of={{ name, type }} onClick={() => onChoose(id)} />
          </li>
        ))}
      </ul>
    )}
  </>
)
