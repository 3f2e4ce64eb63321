import type { KnowledgeEntry, KnowledgeVersion, MergedProfile, Profile } from '@mneme/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, thenLeave, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { Copyable } from '../copy.tsx'
import { change, useData } from '../data.ts'
import { Act, Ask, Asking, Field, Form, TextField } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import {
  Button,
  Card,
  type Column,
  Detail,
  DropDown,
  Empty,
  Facts,
  Head,
  Load,
  Notice,
  Tabs,
  Time,
  told,
} from '../parts.tsx'
import { useUnsaved } from '../unsaved.ts'
import type { ViewProps } from '../views.ts'
import { UserChoice } from './graph/user-choice.tsx'
import { Document, Rendered, withoutSources } from './knowledge/document.tsx'
import { Suggestions } from './memories/known.tsx'
import { counted } from './memories/memory.ts'
import { Difference } from './memories/panel.tsx'

/** What memories add up to: the entries of users, or the one that the address names. */
export function Knowledge({ session }: ViewProps) {
  const { parts } = useAddress()
  if (parts[1] !== undefined) return <Entry key={parts[1]} id={parts[1]} />
  return <AllKnowledge workspace={session.workspace.id} />
}

const ABOUT = 'A document for each category of what the memories of a user say, kept true as they change.'

const VIEWS = { entries: 'Entries', merged: 'As one document' }

function AllKnowledge({ workspace }: { workspace: string }) {
  const { query, set } = useAddress()
  const { user_id, view = 'entries' } = query
  const compilation = useCompilation()
  const path = user_id && `/v1/memories/profile/${workspace}/${encodeURIComponent(user_id)}`
  // The path names the workspace, so the query may not.
  const options = { goesOn: () => compilation.isWatched, everywhere: true }
  return (
    <>
      <Head title="Knowledge" about={ABOUT}>
        <UserChoice chosen={user_id} onChoose={id => set({ user_id: id })} />
        {user_id && <Compile key={user_id} user={user_id} compilation={compilation} />}
      </Head>
      {!user_id && <Notice text="Choose a user to read the profile, and to compile what the memories say now." />}
      {user_id && (
        <Card title={`Profile of \u2068${user_id}\u2069`}>
          <Load<{ profile: Profile | null }> path={path} {...options}>
            {({ profile: found }) =>
              found ? <Portrait profile={found} user={user_id} /> : <p class="quiet">{NO_PROFILE}</p>
            }
          </Load>
        </Card>
      )}
      <Filters />
      <Tabs options={VIEWS} chosen={view} onChoose={id => set({ view: id === 'entries' ? '' : id })} />
      {view === 'merged' ? <Merged compilation={compilation} /> : <Entries compilation={compilation} />}
    </>
  )
}

const NO_PROFILE = "There is no profile yet. It is written a few seconds after the user's memories came."

/** The portrait of a user in two or three sentences. */
function Portrait({ profile, user }: { profile: Profile; user: string }) {
  const { summary, topics, entityCount, extractedAt } = profile
  const entries = useData<List<KnowledgeEntry>>('/v1/knowledge', { user_id: user, page_size: 100 })
  const at = (view: string, words: object) => `/${view}?${new URLSearchParams({ user_id: user, ...words })}`
  const isCategory = (topic: string) => entries.data?.data.some(({ category }) => category === topic)
  // The names of entities and of categories stand side by side.
  const placeOf = (topic: string) =>
    isCategory(topic) ? at('knowledge', { category: topic }) : at('graph', { search: topic })
  return (
    <>
      <p dir="auto">{summary}</p>
      {topics.length > 0 && (
        <ul class="row bare" aria-label="Topics">
          {topics.map(topic => (
            <li key={topic} class="chip">
              <Link to={placeOf(topic)} text={topic} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        The <Link to={at('graph', {})} text="graph of the user" /> holds {counted(entityCount, 'entity', 'entities')}.
        Written: <Time at={extractedAt} />
      </p>
    </>
  )
}

/** Those that the service gives by itself; memories may have others. */
const CATEGORIES = [
  'personal',
  'relationships',
  'work_context',
  'tech_stack',
  'preferences',
  'communication_style',
  'general',
]

function Filters() {
  const { query, set } = useAddress()
  const { category = '', search = '' } = query
  const words = { dir: 'auto', placeholder: 'All' } as const
  return (
    <search aria-label="Entries">
      <Asking class="inline" onAsk={set}>
        <TextField label="Category" name="category" list="knowledge-categories" value={category} {...words} />
        <Suggestions id="knowledge-categories" words={CATEGORIES} />
        <TextField label="Words" name="search" type="search" value={search} {...words} />
        <Button type="submit" label="Search" />
        {(category || search) && <Button label="Show all" onClick={() => set({ category: '', search: '' })} />}
      </Asking>
    </search>
  )
}

const COLUMNS: readonly Column<KnowledgeEntry>[] = [
  ['Category', ({ id, category }) => <Link to={`/knowledge/${id}`} text={category} />],
  ['User', ({ user_id }) => <bdi>{user_id}</bdi>],
  ['Beginning', ({ content }) => <bdi class="clipped">{beginningOf(content)}</bdi>],
  ['Version', ({ version }) => told(version), 'number'],
  ['Last changed', ({ updated_at }) => <Time at={updated_at} />],
]

/** The first statements in one line, without the title that repeats the category. */
function beginningOf(content: string): string {
  const lines = withoutSources(content)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^#+ /.test(line))
  return lines
    .map(line => line.replace(/^[-*+]\s+/, ''))
    .join(' · ')
    .slice(0, 300)
}

/** The entries that pass the filters, in pages. */
function Entries({ compilation }: { compilation: Compilation }) {
  const { user_id, category, search } = useAddress().query
  const asked = { user_id, category, search }
  const entries = usePage<List<KnowledgeEntry>>('/v1/knowledge', asked, { goesOn: () => compilation.isWatched })
  const none = category || search ? NONE_FITS : user_id ? NONE_OF_USER : NONE
  return <Listed label="Knowledge entries" from={entries} columns={COLUMNS} none={none} />
}

const NONE_FITS = 'No entry fits. Try another category or other words.'
const NONE_OF_USER =
  "Nothing is known of this user yet. Entries are written a few seconds after the user's memories came. “Compile now” does not wait, and brings back deleted ones."
const NONE =
  'No knowledge yet. What the memories of a user say is put together here by category, a few seconds after the memories came.'

/** All entries that pass the filters, one after the other. */
function Merged({ compilation }: { compilation: Compilation }) {
  const { user_id, category, search } = useAddress().query
  const asked = { user_id, category, search, merged: true }
  return (
    <Load<MergedProfile> path="/v1/knowledge" query={asked} goesOn={() => compilation.isWatched}>
      {({ content, version, categories }) =>
        content === '' ? (
          <Empty title="Nothing to put together" text="No entry fits the chosen user, category and words." />
        ) : (
          <Card title="The document">
            <p class="quiet">{`Version ${version}, of these categories: ${categories.join(', ')}.`}</p>
            <Document content={content} />
          </Card>
        )
      }
    </Load>
  )
}

/** The API does not tell when a compilation is over; most take a few seconds. */
const WATCHED_MS = 20_000

/** Tells whether knowledge may be changing, so that what is shown is loaded again for a while. */
function useCompilation() {
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (begun === 0) return
    const timer = setTimeout(() => setBegun(0), WATCHED_MS)
    return () => clearTimeout(timer)
  }, [begun])
  return { isWatched: begun !== 0, begin: () => setBegun(Date.now()) }
}

type Compilation = ReturnType<typeof useCompilation>

type CompileProps = { user: string; category?: string; compilation: Compilation }

/** A button that compiles the knowledge of a user, or one category of it, without waiting. */
function Compile({ user, category, compilation }: CompileProps) {
  const [said, setSaid] = useState('')
  const compile = async () => {
    const { message } = await call<{ message: string }>('POST', '/v1/knowledge/compile', {
      body: { user_id: user, category },
    })
    setSaid(message)
    compilation.begin()
  }
  return (
    <>
      <Act label="Compile now" work={compile} />
      {said && compilation.isWatched && <Notice kind="good" text={said} />}
    </>
  )
}

/** The address of the list of a user's entries. */
const listOfUser = (user: string) => `/knowledge?user_id=${encodeURIComponent(user)}`

const PARTS = { text: 'Text', versions: 'Versions' }

/** An entry: its text to read, or to edit by hand, and what it was before. */
function Entry({ id }: { readonly id: string }) {
  const path = `/v1/knowledge/${encodeURIComponent(id)}`
  const compilation = useCompilation()
  const [isEditing, setEditing] = useState(false)
  const [part, setPart] = useState('text')
  const close = () => setEditing(false)
  return (
    <Detail<KnowledgeEntry>
      back={['/knowledge', 'All knowledge']}
      path={path}
      goesOn={() => compilation.isWatched && !isEditing}
    >
      {data => (
        <>
          <Head title={data.category} about={`What is known of \u2068${data.user_id}\u2069 in this category.`}>
            {!isEditing && <Button kind="first" label="Edit by hand" onClick={() => setEditing(true)} />}
            <Compile user={data.user_id} category={data.category} compilation={compilation} />
            <DropDown icon="more" name="Further actions">
              <Ask
                label="Delete"
                question={DELETION}
                act={() => thenLeave(call('DELETE', path), () => listOfUser(data.user_id))}
              />
            </DropDown>
          </Head>
          {isEditing ? (
            <Card title="Text">
              <Editor entry={data} onClose={close} />
            </Card>
          ) : (
            <>
              <Tabs options={PARTS} chosen={part} onChoose={setPart} />
              <Card>
                {part === 'text' && <Document content={data.content} />}
                {part === 'versions' && <Versions key={data.version} path={path} />}
              </Card>
            </>
          )}
          <Card title="The entry">
            <Facts
              of={[
                ['User', <Link key="user" to={listOfUser(data.user_id)} text={data.user_id} />],
                ['Version', told(data.version)],
                ['First compiled', <Time key="first" at={data.created_at} />],
                ['Last changed', <Time key="last" at={data.updated_at} />],
                ['Id', <Copyable key="id" text={data.id} />],
              ]}
            />
          </Card>
        </>
      )}
    </Detail>
  )
}

const DELETION =
  'The entry is deleted, and what was edited by hand is lost. It is written anew when the memories behind it change or when it is compiled; the memories stay.'

/** The versions that are kept, each with what it changed. */
function Versions({ path }: { path: string }) {
  const restore = (version: number) => change('POST', `${path}/versions/${version}/restore`)
  return (
    <Load<List<KnowledgeVersion>> path={`${path}/versions`} query={{ page_size: 20 }}>
      {({ data }) => (
        <ol class="events">
          {data.map(({ version, content, created_at }, n) => (
            <li key={version}>
              <div class="row">
                <b>Version {version}</b> <Time at={created_at} />
                {n > 0 && (
                  <Ask
                    label="Restore"
                    aria-label={`Restore version ${version}`}
                    kind="plain"
                    question={RESTORING}
                    act={() => restore(version)}
                  />
                )}
              </div>
              <Difference before={withoutSources(data[n + 1]?.content ?? content)} after={withoutSources(content)} />
            </li>
          ))}
        </ol>
      )}
    </Load>
  )
}

const RESTORING =
  'The text becomes that of this version, as if you had written it: a new version, and the present one stays kept.'

const CONFLICTS: readonly unknown[] = [409, 412]

const HINT =
  'Each statement stands on a line of its own. The comment behind it names its memories; a line that keeps the comment goes with them. A compiled line that you take away stays away while its memories say the same.'

/**
 * Edits the text of an entry in the version that was read, beside a preview. When the entry has another by now, the newest can be
 * loaded; what was written until then stays below it.
 */
function Editor({ entry, onClose }: { entry: KnowledgeEntry; onClose: () => void }) {
  const path = `/v1/knowledge/${entry.id}`
  const [base, setBase] = useState(entry)
  const [text, setText] = useState(entry.content)
  const [before, setBefore] = useState<string>()
  const [isOutdated, setOutdated] = useState(false)
  const send = async () => {
    try {
      await change('PUT', path, { body: { content: text, version: base.version } })
    } catch (error) {
      setOutdated(CONFLICTS.includes(Reflect.get(Object(error), 'status')))
      throw error
    }
    onClose()
  }
  const load = async () => {
    const newest = await call<KnowledgeEntry>('GET', path)
    setBefore(text)
    setBase(newest)
    setText(newest.content)
    setOutdated(false)
  }
  const field = { name: 'content', rows: 20, required: true, dir: 'auto', value: text, onTyped: setText } as const
  return (
    <div class="stack">
      <div class="columns">
        <Form key={base.version} send={send} action="Save" onCancel={onClose}>
          <Field label={`Text, from version ${base.version}`} class="document" hint={HINT} {...field} />
        </Form>
        <Rendered content={text} />
      </div>
      {isOutdated && (
        <div class="row">
          <span>
            Your text is not saved. Load the newest version and make the change there; your text stays below it.
          </span>
          <Act label="Load the newest" work={load} />
        </div>
      )}
      {before !== undefined && <Before text={before} />}
    </div>
  )
}

function Before({ text }: { text: string }) {
  const place = useRef<HTMLPreElement>(null)
  const unsaved = useUnsaved()
  useEffect(() => {
    if (place.current) unsaved.note(place.current)
  }, [])
  return (
    <Notice kind="warn" text="This is the text that you had written. Take over what you need; nothing of it is saved.">
      <pre class="document" dir="auto" ref={place}>
        {text}
      </pre>
    </Notice>
  )
}
