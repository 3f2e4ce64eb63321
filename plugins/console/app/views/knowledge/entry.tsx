import type { KnowledgeEntry, KnowledgeVersion } from '@mneme/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, thenLeave } from '../../address.tsx'
import { call } from '../../api.ts'
import { Copyable } from '../../copy.tsx'
import { change, useData } from '../../data.ts'
import { Act, Ask, Field, Form } from '../../forms.tsx'
import type { List } from '../../paged.tsx'
import { Button, Card, Detail, DropDown, Facts, Head, Loaded, Notice, Tabs, Time } from '../../parts.tsx'
import { useUnsaved } from '../../unsaved.ts'
import { Difference } from '../memories/changes.tsx'
import { Document, Rendered, withoutSources } from './document.tsx'

/** The API does not tell when a compilation is over; most take a few seconds. */
const WATCHED_MS = 20_000

/** Tells whether knowledge may be changing, so that what is shown is loaded again for a while. */
export function useCompilation() {
  const [begun, setBegun] = useState(0)
  useEffect(() => {
    if (begun === 0) return
    const timer = setTimeout(() => setBegun(0), WATCHED_MS)
    return () => clearTimeout(timer)
  }, [begun])
  return { isWatched: begun !== 0, begin: () => setBegun(Date.now()) }
}

export type Compilation = ReturnType<typeof useCompilation>

type CompileProps = { user: string; category?: string; compilation: Compilation }

/** A button that compiles the knowledge of a user, or one category of it, without waiting. */
export function Compile({ user, category, compilation }: CompileProps) {
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
export function Entry({ id }: { readonly id: string }) {
  const path = `/v1/knowledge/${encodeURIComponent(id)}`
  const compilation = useCompilation()
  const [isEditing, setEditing] = useState(false)
  const [part, setPart] = useState('text')
  const entry = useData<KnowledgeEntry>(path, {}, { goesOn: () => compilation.isWatched && !isEditing })
  const close = () => setEditing(false)
  return (
    <Detail back={['/knowledge', 'All knowledge']} from={entry}>
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
                ['Version', data.version.toLocaleString('en')],
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
  const versions = useData<List<KnowledgeVersion>>(`${path}/versions`, { page_size: 20 })
  const restore = (version: number) => change('POST', `${path}/versions/${version}/restore`)
  return (
    <Loaded from={versions}>
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
    </Loaded>
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
