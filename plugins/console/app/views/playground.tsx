import type { ConversationRehearsal, RehearsedMemory, AssembleContextResult as Told } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, useAddress } from '../address.tsx'
import { CopyAs, CopyButton } from '../copy.tsx'
import { Asking, Field, TextField, type Values } from '../forms.tsx'
import { Badge, Button, Card, type Column, Empty, Head, Load, Notice, Table, Tabs } from '../parts.tsx'
import { Known, MemoryLink } from './memories/known.tsx'
import { counted, figure, type Memories, type Memory, shortened } from './memories/memory.ts'

/** A message with the owners of the memories that may answer it. */
export interface Asked {
  readonly message: string
  readonly user_id: string | undefined
  readonly agent_id: string | undefined
  readonly session_id: string | undefined
  readonly categories: string[] | undefined
  readonly max_characters: number | undefined
}

const PARTS = { context: 'What an agent is told', modes: 'Three ways to search', stored: 'What would be stored' }

const LENGTHS = [
  ['1000', '1,000'],
  ['2000', '2,000'],
  ['', '4,000'],
  ['10000', '10,000'],
  ['50000', '50,000'],
] as const

/** Tries a message: the address keeps it, so that the same is tried again when the reader comes back. */
export function Playground() {
  const { query, set } = useAddress()
  const [round, setRound] = useState(0)
  const ask = (values: Values) => {
    setRound(round + 1)
    set(values)
  }
  const part = query.part ?? 'context'
  const asked = askedIn(query)
  // The same message is asked for anew in another round.
  const key = JSON.stringify([asked, round])
  return (
    <>
      <Head title="Playground" />
      <Known />
      <div class="play">
        <Card>
          <Question query={query} onAsk={ask} />
        </Card>
        <div class="stack" aria-live="polite">
          <Tabs options={PARTS} chosen={part} onChoose={id => set({ part: id === 'context' ? '' : id })} />
          {!asked && (
            <Empty
              title="Try a message"
              text="See what an agent is told before it answers, what each way to search finds, and what of it would be stored."
            />
          )}
          {asked && part === 'context' && <Context key={key} asked={asked} />}
          {asked && part === 'modes' && <Modes key={key} asked={asked} />}
          {asked && part === 'stored' && <Stored key={key} asked={asked} />}
        </div>
      </div>
    </>
  )
}

function askedIn({ message, categories, max_characters, ...owners }: Record<string, string>): Asked | undefined {
  if (!message) return undefined
  const { user_id, agent_id, session_id } = owners
  return {
    message,
    user_id,
    agent_id,
    session_id,
    categories: categories === undefined ? undefined : [categories],
    max_characters: max_characters === undefined ? undefined : Number(max_characters),
  }
}

const NAMED = { dir: 'auto', placeholder: 'All' } as const

type QuestionProps = { query: Record<string, string>; onAsk: (values: Values) => void }

function Question({ query, onAsk }: QuestionProps) {
  const given = (name: string) => ({ name, value: query[name] ?? '' })
  return (
    <Asking onAsk={onAsk}>
      <TextField
        label="Message"
        dir="auto"
        rows={5}
        required
        maxLength={50_000}
        placeholder="What should I cook for Grace on Friday?"
        hint="As a user would write it to the agent. It counts as a search."
        {...given('message')}
      />
      <TextField label="User" list="known-users" {...NAMED} {...given('user_id')} />
      <TextField label="Agent" list="known-agents" {...NAMED} {...given('agent_id')} />
      <TextField label="Session" {...NAMED} {...given('session_id')} />
      <TextField label="Category" list="known-categories" {...NAMED} {...given('categories')} />
      <Field label="Characters at most" options={LENGTHS} {...given('max_characters')} />
      <Button type="submit" kind="first" label="Try the message" />
    </Asking>
  )
}

/** The context as an agent gets it, and the memories that it tells. */
export function Context({ asked: { message, ...others } }: { readonly asked: Asked }) {
  const body = { query: message, ...others }
  return (
    <Load<Told> path="/v1/context" query={body} asBody>
      {({ context, memories, warning }) => (
        <>
          {warning && <Notice kind="warn" text={warning} />}
          {context === '' ? (
            <Empty title="Nothing is known" text="No memory fits the message. Clear a filter, or ask otherwise." />
          ) : (
            <Card isStack>
              <div class="row">
                <span class="quiet grow" role="status">
                  {counted(context.length, 'character', 'characters')}, {counted(memories.length, 'memory', 'memories')}
                </span>
                <CopyButton label="Copy the context" text={context} />
                <CopyAs path="/v1/context" body={body} />
              </div>
              <section aria-label="Context">
                <pre dir="auto">{context}</pre>
              </section>
            </Card>
          )}
          {memories.length > 0 && (
            <Card title="Memories in it">
              <Table label="Memories in it" columns={COLUMNS} rows={memories} />
            </Card>
          )}
        </>
      )}
    </Load>
  )
}

const COLUMNS: readonly Column<Told['memories'][number]>[] = [
  ['Memory', ({ id }) => <MemoryLink id={id} />],
  ['Score', ({ score }) => figure(score), 'number'],
  ['Told', ({ excerpt }) => (excerpt ? 'in part' : 'whole')],
  ['Holds', ({ ended }) => <Badge kind={ended ? 'warn' : 'good'}>{ended ? 'no more' : 'still'}</Badge>],
]

const SHOWN_MAX = 8
const SEARCHED_MAX = 1000

const MODES = { hybrid: 'Words and meaning', semantic: 'Meaning', keyword: 'Exact words' }

/** The same message, searched for in each way side by side, with the words that matched. */
const Modes = ({ asked }: { readonly asked: Asked }) => (
  <>
    <div class="columns three">
      {Object.entries(MODES).map(([mode, title]) => (
        <Found key={mode} title={title} mode={mode} asked={asked} />
      ))}
    </div>
    <p class="quiet">
      Something is missing? <Link to="/searches?part=why" text="See why a memory is not found" />
    </p>
  </>
)

type FoundProps = { title: string; mode: string; asked: Asked }

function Found({ title, mode, asked: { message, max_characters, ...filters } }: FoundProps) {
  const body = { query: message.slice(0, SEARCHED_MAX), mode, page_size: SHOWN_MAX, explain: true, ...filters }
  return (
    <Card aria-label={title}>
      <div class="row">
        <h2 class="grow">{title}</h2>
        <CopyAs path="/v1/memories/search" body={body} />
      </div>
      <Load<Memories> path="/v1/memories/search" query={body} asBody>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">Nothing is found.</p>
          ) : (
            <ul class="plain stack">
              {data.map(memory => (
                <li key={memory.id}>
                  <Link to={`/memories/${memory.id}`} class="clipped" text={shortened(memory.memory, 160)} />
                  <Badge kind={memory.relevance === 'HIGH' ? 'good' : 'plain'}>{memory.score?.toFixed(2) ?? ''}</Badge>{' '}
                  <small class="quiet" dir="auto">
                    {matchedBy(memory)}
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </Card>
  )
}

function matchedBy({ explanation }: Memory): string {
  const words = explanation?.terms?.flatMap(({ matched }) => matched) ?? []
  return words.length === 0 ? 'by its meaning alone' : `by ${[...new Set(words)].join(', ')}`
}

const STORED_COLUMNS: readonly Column<RehearsedMemory>[] = [
  ['Memory', ({ memory }) => <bdi>{memory}</bdi>],
  ['Priority', ({ priority }) => <Badge kind="plain">{priority}</Badge>],
  ['Categories', ({ categories }) => <bdi>{categories.join(', ') || '–'}</bdi>],
]

/** What would be kept of the message, if it were sent as a turn of a conversation. Nothing is stored. */
export function Stored({ asked: { message, user_id, agent_id, session_id } }: { readonly asked: Asked }) {
  const body = { messages: [{ role: 'user', content: message }], user_id, agent_id, session_id }
  const path = '/v1/memories/conversations'
  return (
    <Load<ConversationRehearsal> path={`${path}?dry_run=true`} query={body} asBody>
      {({ memories, extracted_by }) =>
        memories.length === 0 ? (
          <Empty title="Nothing would be kept" text="A question or a greeting states nothing that lasts." />
        ) : (
          <Card>
            <div class="row">
              <span class="quiet grow">
                Nothing is stored by this. Read by {extracted_by.includes('local') ? 'rules' : 'the language model'}.
              </span>
              <CopyAs path={`${path}?dry_run=true`} body={body} />
            </div>
            <Table
              label="What would be stored"
              columns={STORED_COLUMNS}
              rows={memories}
              keyOf={({ memory }) => memory}
            />
          </Card>
        )
      }
    </Load>
  )
}
