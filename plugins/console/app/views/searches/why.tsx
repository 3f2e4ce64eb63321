import type { ExplainSearchResult, ListedMemory, Memory as Stored } from '@mneme/client'
import { useEffect, useState } from 'preact/hooks'
import { Link, useAddress } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Explanation } from '../../explanation.tsx'
import { Dialog, Field, Form, TextField, type Values } from '../../forms.tsx'
import type { List } from '../../paged.tsx'
import { Badge, Button, Card, type Column, Loaded, Notice, Pager, Table } from '../../parts.tsx'
import { shortened } from '../memories/texts.ts'

const MODES = { hybrid: 'Words and meaning', semantic: 'Meaning', keyword: 'Words' }

const ABOUT =
  'The search is run again for one memory. It tells its place and what its score is made of, or every reason that keeps it out. This search is not counted in the figures.'

/** Explains for one query and one memory why the query finds it, or does not; the address keeps both. */
export function Why() {
  const { q, memory, user, mode } = useAddress().query
  const [round, setRound] = useState(0)
  const body = q && memory && { query: q, memory_id: memory, user_id: user || undefined, mode: mode || undefined }
  return (
    <Card title="Why was a memory found, or not?">
      <p class="quiet">{ABOUT}</p>
      <Question onAsked={() => setRound(round + 1)} />
      {body && <Explained key={JSON.stringify([body, round])} body={body} />}
    </Card>
  )
}

const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** People paste the address of a memory as often as its id. */
const idIn = (text = '') => ID.exec(text)?.[0] ?? text.trim()

function Question({ onAsked }: { onAsked: () => void }) {
  const { query, set } = useAddress()
  const [memory, setMemory] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setMemory(query.memory ?? ''), [query.memory])
  const ask = async ({ q, user, mode, memory: typed }: Values) => {
    set({ q, user: user?.trim(), mode, memory: idIn(typed) })
    onAsked()
  }
  const choose = (id: string) => {
    setMemory(id)
    setChoosing(false)
  }
  const named = { name: 'memory', required: true, value: memory, hint: 'Its id, or the address of its page.' }
  const owner = 'Only if the search was for one user. Leave it empty to search the memories of all.'
  return (
    <>
      <Form send={ask} action="Explain">
        <TextField label="Query" name="q" dir="auto" required value={query.q ?? ''} />
        <Field label="Memory" onTyped={setMemory} {...named} />
        <div>
          <Button label="Choose a memory" onClick={() => setChoosing(true)} />
        </div>
        <TextField label="User" name="user" dir="auto" value={query.user ?? ''} hint={owner} />
        <Field label="Searched by" name="mode" options={MODES} value={query.mode ?? 'hybrid'} />
      </Form>
      {isChoosing && <Choice onChoose={choose} onClose={() => setChoosing(false)} />}
    </>
  )
}

const PAGE_SIZE = 10

/** Lets one of the memories be chosen, newest first. It does not search, as that would count in the figures. */
function Choice({ onChoose, onClose }: { onChoose: (id: string) => void; onClose: () => void }) {
  const [user, setUser] = useState('')
  const [page, setPage] = useState(1)
  const memories = useData<List<ListedMemory>>('/v1/memories', { page, page_size: PAGE_SIZE, user_id: user })
  const filter = (typed: string) => {
    setUser(typed.trim())
    setPage(1)
  }
  const columns: Column<ListedMemory>[] = [
    ['Memory', ({ memory }) => <bdi class="clipped">{shortened(memory)}</bdi>],
    ['User', ({ user_id }) => <bdi class="clipped">{user_id}</bdi>],
    ['', ({ id, memory }) => <Chosen memory={memory} onClick={() => onChoose(id)} />],
  ]
  const field = { name: 'chosen-user', placeholder: 'All users', value: user }
  return (
    <Dialog title="Choose a memory" onClose={onClose}>
      <div class="stack">
        <TextField label="User" dir="auto" onValue={filter} {...field} />
        <Loaded from={memories}>
          {({ data, total }) => (
            <>
              {data.length === 0 && (
                <p class="quiet">{user ? 'This user has no memories.' : 'There are no memories yet.'}</p>
              )}
              {data.length > 0 && <Table label="Memories" columns={columns} rows={data} />}
              <Pager page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
            </>
          )}
        </Loaded>
        <div class="row end">
          <Button label="Cancel" onClick={onClose} />
        </div>
      </div>
    </Dialog>
  )
}

const Chosen = ({ memory, onClick }: { memory: string; onClick: () => void }) => (
  <Button label="Choose" aria-label={`Choose ${shortened(memory, 60)}`} onClick={onClick} />
)

function Explained({ body }: { body: object }) {
  const answer = useData<ExplainSearchResult>('/v1/memories/search/why', { ...body }, { asBody: true })
  return (
    <div class="stack" aria-live="polite">
      <Loaded from={answer}>{data => <Answer answer={data} />}</Loaded>
    </div>
  )
}

const COUNTED = 1000

/** Tells where the memory is among the results, or each reason that keeps it out, and its score. */
function Answer({ answer }: { answer: ExplainSearchResult }) {
  const { memory_id, found, reasons, explanation, rank, page, total } = answer
  const against = reasons.filter(({ code }) => code !== 'FOUND')
  const all = total >= COUNTED ? `${COUNTED.toLocaleString('en')} or more` : total.toLocaleString('en')
  const place = `The memory is in place ${rank} of ${all}, on page ${page}.`
  return (
    <>
      <Notice
        kind={found ? 'good' : 'warn'}
        text={<strong>{found ? place : 'The search does not find this memory.'}</strong>}
      >
        <ul>
          {against.map(({ code, message }) => (
            <li key={code} dir="auto">
              {message}
            </li>
          ))}
        </ul>
      </Notice>
      <Memory id={memory_id} />
      <Score answer={answer} />
      {explanation && <Explanation explanation={explanation} />}
    </>
  )
}

/** Shows the text of the memory, for those who came with its id alone. */
function Memory({ id }: { id: string }) {
  const { data } = useData<Stored>(`/v1/memories/${id}`)
  return (
    <blockquote>
      {data && <p class="clipped">{data.memory}</p>}
      <p class="quiet">
        {data && `Of \u2068${data.user_id}\u2069. `}
        <Link to={`/memories/${id}`} text="Open the memory" />
      </p>
    </blockquote>
  )
}

const KINDS: Readonly<Record<string, string>> = { HIGH: 'good', MEDIUM: 'info', LOW: 'warn' }

function Score({ answer: { found, score, best_score, relevance } }: { answer: ExplainSearchResult }) {
  if (score === null) return <p class="quiet">It has no score, as it is not in the index.</p>
  return (
    <p>
      {found ? 'Its score is' : 'If it passed, its score would be'} <strong>{score.toFixed(2)}</strong>{' '}
      {relevance && <Badge kind={KINDS[relevance]}>{`${relevance} relevance`}</Badge>}.
      {best_score !== null && ` The first result has ${best_score.toFixed(2)}.`}
    </p>
  )
}
