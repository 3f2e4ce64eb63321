import type { ApiKeyWithSecret, FoundMemory, ListPermissionsResult, StoredMemory } from '@mneme/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from '../../address.tsx'
import { call } from '../../api.ts'
import { asCurl, Copyable, Snippet } from '../../copy.tsx'
import { Act, Field, Form } from '../../forms.tsx'
import { Badge, Button, Card, Notice, Tabs } from '../../parts.tsx'
import { ROOT } from '../../place.ts'
import type { Session } from '../../session.ts'

const ORIGIN = `${location.origin}${ROOT}`
const STORE = '/v1/memories'
const SEARCH = '/v1/memories/search'

const TEXT = 'Ada lives in Lisbon and drinks green tea.'
const QUESTION = 'Where is Ada at home?'
const USER = 'ada'

/** The first minute: a key, a memory, a search for it, and the way to connect an agent, each with its request filled in. */
export function Start({ session, onDone }: { readonly session: Session; readonly onDone: () => void }) {
  const [key, setKey] = useState<ApiKeyWithSecret>()
  const [stored, setStored] = useState<StoredMemory>()
  const [found, setFound] = useState<FoundMemory[]>()
  const [text, setText] = useState(TEXT)
  const [question, setQuestion] = useState(QUESTION)
  const store = async () => {
    setStored(await call('POST', STORE, { body: { memory: text, user_id: USER } }))
  }
  const search = async () => {
    const body = { query: question, user_id: USER, page_size: 3 }
    setFound((await call<{ data: FoundMemory[] }>('POST', SEARCH, { body })).data)
  }
  const curl = (path: string, body: object) => asCurl(`${ORIGIN}${path}`, JSON.stringify(body), key?.key)
  return (
    <>
      <p class="quiet">The first minute: make a key, store a memory, find it again, and connect an agent.</p>
      <ol class="steps">
        <Step title="Make an API key" isDone={key !== undefined}>
          <p>Programs and agents send it with each request. It is shown now and never again.</p>
          {key ? (
            <Copyable text={key.key} label="Copy the key" />
          ) : (
            <div class="row">
              <Act kind="first" label="Make a key" work={async () => setKey(await makeKey(session))} />
              <Link to="/keys" text="Choose what it may do" />
            </div>
          )}
        </Step>
        <Step title="Store a memory" isDone={stored !== undefined}>
          <Try label="A text" name="memory" value={text} onTyped={setText} action="Store it" send={store} />
          {stored && <Notice kind="good" text={<Link to={`/memories/${stored.id}`} text="It is stored. See it." />} />}
          <Request text={curl(STORE, { memory: text, user_id: USER })} />
        </Step>
        <Step title="Find it again" isDone={found !== undefined && found.length > 0}>
          <Try label="A question" name="query" value={question} onTyped={setQuestion} action="Find it" send={search} />
          {found && <Found memories={found} />}
          <Request text={curl(SEARCH, { query: question, user_id: USER })} />
        </Step>
        <Step title="Connect an agent or a program">
          <Connect secret={key?.key ?? '$MNEME_API_KEY'} />
        </Step>
      </ol>
      <div class="row">
        <Button label="Go to the overview" onClick={onDone} />
        <a href={`${ROOT}/docs`}>Read the API reference</a>
      </div>
    </>
  )
}

const Step = ({
  title,
  isDone = false,
  children,
}: {
  title: string
  isDone?: boolean
  children: ComponentChildren
}) => (
  <li>
    <Card>
      <h2>
        {title} {isDone && <Badge kind="good">done</Badge>}
      </h2>
      <div class="stack">{children}</div>
    </Card>
  </li>
)

type TryProps = {
  label: string
  name: string
  value: string
  onTyped: (text: string) => void
  action: string
  send: () => Promise<void>
}

const Try = ({ action, send, ...field }: TryProps) => (
  <Form class="try" send={send} action={action}>
    <Field dir="auto" required maxLength={1000} {...field} />
  </Form>
)

const Request = ({ text }: { text: string }) => (
  <details>
    <summary>The same as a request</summary>
    <Snippet text={text} label="Copy the request" />
  </details>
)

function Found({ memories }: { memories: readonly FoundMemory[] }) {
  if (memories.length === 0)
    return <Notice text="Nothing is found yet. Store the text first, or ask for one of its words." />
  return (
    <ul class="alerts" aria-label="What is found">
      {memories.map(({ id, memory, score }) => (
        <li key={id} class="alert-row">
          <Link to={`/memories/${id}`} class="grow" text={memory} /> <Badge kind="good">{score.toFixed(2)}</Badge>
        </li>
      ))}
    </ul>
  )
}

/** What belongs to the workspace itself and to the account is left out: a key for an agent needs none of it. */
const NOT_FOR_AGENTS = /^(workspace|key|token|member|webhook|connection)s?\./

async function makeKey({ workspace, workspaces }: Session): Promise<ApiKeyWithSecret> {
  const { groups } = await call<ListPermissionsResult>('GET', '/v1/api-keys/permissions', { everywhere: true })
  const names = groups.flatMap(({ permissions }) => permissions.map(({ name }) => name))
  const permissions = names.filter(name => /\.(read|write)$/.test(name) && !NOT_FOR_AGENTS.test(name))
  // Test keys name the live workspace, and work in the test twin beside it.
  const live = workspaces.find(({ test_workspace_id }) => test_workspace_id === workspace.id) ?? workspace
  const body = { name: 'First key', mode: workspace.mode, workspace_id: live.id, permissions }
  return call('POST', '/v1/api-keys', { body, everywhere: true })
}

const ENDPOINT = `${ORIGIN}/v1/mcp?user_id=${USER}`

type Way = { title: string; about: string; textOf: (secret: string) => string }

const WAYS: Readonly<Record<string, Way>> = {
  claude: {
    title: 'Claude Code',
    about: 'It gets the memory as tools, by the Model Context Protocol.',
    textOf: secret => `claude mcp add --transport http mneme "${ENDPOINT}" --header "X-Api-Key: ${secret}"`,
  },
  cursor: {
    title: 'Cursor',
    about: 'Put this into .cursor/mcp.json; other editors have a file of the same kind.',
    textOf: secret =>
      JSON.stringify({ mcpServers: { mneme: { url: ENDPOINT, headers: { 'X-Api-Key': secret } } } }, null, 2),
  },
  typescript: {
    title: 'TypeScript',
    about: 'The client is @mneme/client.',
    textOf: secret => `import { Mneme } from '@mneme/client'

const mneme = new Mneme({ url: '${ORIGIN}', key: '${secret}' })
await mneme.remember('${TEXT}', { user_id: '${USER}' })
console.log(await mneme.recall('${QUESTION}', { user_id: '${USER}' }))`,
  },
  python: {
    title: 'Python',
    about: 'The client is mneme-client.',
    textOf: secret => `from mneme_client import Mneme

mneme = Mneme("${ORIGIN}", "${secret}")
mneme.remember("${TEXT}", user_id="${USER}")
print(mneme.recall("${QUESTION}", user_id="${USER}"))`,
  },
}

function Connect({ secret }: { secret: string }) {
  const [chosen, setChosen] = useState('claude')
  const titles = Object.fromEntries(Object.entries(WAYS).map(([id, { title }]) => [id, title]))
  const way = WAYS[chosen]
  return (
    <>
      <Tabs options={titles} chosen={chosen} onChoose={setChosen} />
      <p class="quiet">{way?.about}</p>
      <Snippet text={way?.textOf(secret) ?? ''} label="Copy it" />
    </>
  )
}
