import type { Export, Import } from '@mneme/client'
import { useState } from 'preact/hooks'
import { useAddress } from '../address.tsx'
import { linkTo } from '../api.ts'
import { change } from '../data.ts'
import { FilePicker } from '../file-picker.tsx'
import { Ask, Boxes, Check, Field, Form, formOf, listOf, tickedIn, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Badge, Card, type Column, DropDown, Head, Tabs, Time, Two, told } from '../parts.tsx'
import { anyUnderWay, State, sizeOf } from '../progress.tsx'
import type { ViewProps } from '../views.ts'

const WAYS = { exports: 'Exports', imports: 'Imports' }

/** Files that take the workspace's data out, and files that bring data in. */
export function Transfers({ session }: ViewProps) {
  const { query, set } = useAddress()
  const way = query.way === 'imports' ? 'imports' : 'exports'
  return (
    <>
      <Head title="Export and import" about="Take all data of this workspace with you, or bring data from elsewhere." />
      <Tabs options={WAYS} chosen={way} onChoose={id => set({ way: id })} />
      {way === 'imports' ? <Imports /> : <Exports pages={session.pages.map(({ id }) => id)} />}
    </>
  )
}

const NO_EXPORTS =
  "No exports yet. An export is a file of this workspace's memories, history, knowledge and graph. It can be downloaded for 7 days."

/** @param pages tell which parts the workspace has */
function Exports({ pages }: { pages: readonly string[] }) {
  const { set } = useAddress()
  const exports = usePage<List<Export>>('/v1/exports', {}, { goesOn: anyUnderWay })
  const { search } = location
  const make = async ({ format, user_id = '', categories, all }: Values, form: HTMLFormElement) => {
    const named = listOf(categories)
    const include = all || format === 'CSV' ? undefined : tickedIn(form, 'include', CHOOSE_SOME)
    const narrowed = { user_id: user_id.trim() || undefined, categories: named.length > 0 ? named : undefined }
    await change('POST', '/v1/exports', { body: { format, ...narrowed, include } })
    if (location.search === search) set({ page: undefined })
  }
  return (
    <>
      <div class="row">
        <Ask label="Make an export" action="Make the export" kind="first" act={make}>
          <ExportFields pages={pages} />
        </Ask>
      </div>
      <Listed label="Exports" from={exports} columns={EXPORT_COLUMNS} none={NO_EXPORTS} />
    </>
  )
}

const CHOOSE_SOME = 'Choose at least one thing that the export contains.'

const FORMATS = {
  JSONL: 'JSONL, which can be imported again without loss',
  JSON: 'JSON, for programs',
  CSV: 'CSV, for spreadsheets: memories only',
  MARKDOWN: 'Markdown, to be read',
}

const SECTIONS = [
  { value: 'memories', label: 'Memories' },
  { value: 'history', label: 'History, with its memories' },
  { value: 'knowledge', label: 'Knowledge', page: 'knowledge' },
  { value: 'graph', label: 'Graph of entities and relationships', page: 'graph' },
  { value: 'ingest', label: 'Files and pages, by which documents are replaced', page: 'imports' },
  { value: 'templates', label: 'Templates', page: 'templates' },
]

const NARROWED = 'Only memories with at least one of these, and no graph. Put commas between several.'

function ExportFields({ pages }: { pages: readonly string[] }) {
  const [format, setFormat] = useState('JSONL')
  const [hasAll, setAll] = useState(true)
  const sections = SECTIONS.filter(({ page }) => page === undefined || pages.includes(page))
  const categories = { name: 'categories', placeholder: 'All categories', hint: NARROWED }
  return (
    <>
      <Field label="Format" name="format" options={FORMATS} value={format} onValue={setFormat} />
      <Field label="User" name="user_id" dir="auto" placeholder="All users" hint="Only memories of this user." />
      <Field label="Categories" dir="auto" {...categories} />
      {format !== 'CSV' && (
        <Boxes legend="Contents" name="include" options={hasAll ? [] : sections}>
          <Check label="Everything" name="all" checked={hasAll} onTicked={isTicked => setAll(isTicked)} />
        </Boxes>
      )}
    </>
  )
}

const EXPORT_COLUMNS: readonly Column<Export>[] = [
  ['Made', ({ created_at }) => <Time at={created_at} />],
  ['Format', ({ format }) => format],
  ['Contents', contentsOf],
  ['Status', standingOf],
  ['Size', ({ size_bytes }) => (size_bytes === null ? '–' : sizeOf(size_bytes)), 'number'],
  ['Expires', ({ expires_at }) => <Time at={expires_at} />],
  ['', actionsOf],
]

function contentsOf({ include, user_id, categories }: Export) {
  const whose = user_id === null ? 'All users' : `User \u2068${user_id}\u2069`
  return <Two text={include.join(', ')} below={categories ? `${whose}, categories ${categories.join(', ')}` : whose} />
}

const isExpired = ({ expires_at }: Export) => expires_at !== null && new Date(expires_at) <= new Date()

function standingOf(made: Export) {
  const { done, total } = made.progress
  if (made.status === 'COMPLETED' && isExpired(made)) return <Badge kind="plain">Expired</Badge>
  return (
    <State job={made} label="Progress of the export" done={done} total={total} unit="records">
      {made.sha256 && (
        <details>
          <summary>SHA-256</summary>
          <code>{made.sha256}</code>
        </details>
      )}
    </State>
  )
}

function actionsOf(made: Export) {
  const { id, format, status, created_at } = made
  const named = `the ${format} export of ${new Date(created_at).toLocaleString('en-GB')}`
  const href = linkTo(`/v1/exports/${id}/download`)
  return (
    <div class="row end whole">
      {status === 'COMPLETED' && !isExpired(made) && (
        <a class="button" href={href} download="" aria-label={`Download ${named}`}>
          Download
        </a>
      )}
      <DropDown icon="more" name={`Actions for ${named}`}>
        <Ask
          label="Delete"
          aria-label={`Delete ${named}`}
          question={DELETION}
          act={() => change('DELETE', `/v1/exports/${id}`)}
        />
      </DropDown>
    </div>
  )
}

const DELETION = 'The export is deleted with its file. A download under way breaks off. The data of the workspace stay.'

const NO_IMPORTS = 'No imports yet. Files that you import above are listed here with their progress.'

/** A form that takes a file, and the imports by now. */
function Imports() {
  const imports = usePage<List<Import>>('/v1/imports', {}, { goesOn: anyUnderWay })
  return (
    <>
      <ImportForm />
      <Listed label="Imports" from={imports} columns={COLUMNS} none={NO_IMPORTS} />
    </>
  )
}

const COLUMNS: readonly Column<Import>[] = [
  ['File', fileOf],
  ['Status', readingOf],
  ['Created', ({ memories_created }) => told(memories_created), 'number'],
  ['Skipped', ({ memories_skipped }) => told(memories_skipped), 'number'],
  ['Expired', ({ memories_expired }) => told(memories_expired), 'number'],
  ['Other records', ({ records_restored }) => told(records_restored), 'number'],
  ['Unreadable lines', ({ lines_failed }) => told(lines_failed), 'number'],
  ['Begun', ({ created_at }) => <Time at={created_at} />],
]

function fileOf({ file_name, format, user_id }: Import) {
  const below = [format, user_id !== 'default' && `for \u2068${user_id}\u2069`].filter(Boolean)
  return <Two text={<bdi>{file_name ?? 'A file without a name'}</bdi>} below={below.join(', ')} />
}

function readingOf(sent: Import) {
  const { errors, lines_failed, progress } = sent
  const title = errors.length < lines_failed ? `The first ${errors.length} unreadable lines` : 'Unreadable lines'
  return (
    <State job={sent} label="Progress of the import" {...progress} told={sizeOf} unit="read">
      {errors.length > 0 && (
        <details>
          <summary>{title}</summary>
          <ul>
            {errors.map(({ line, message }) => (
              <li key={line}>{`Line ${told(line)}: ${message}`}</li>
            ))}
          </ul>
        </details>
      )}
    </State>
  )
}

const READ =
  'A JSONL or JSON export of Mneme keeps ids, times and history. Exports of mem0, Zep, Hindsight, Supermemory and Letta in JSON are read too, and lines of JSON with a text. Memories that the workspace already has are skipped.'

function ImportForm() {
  const [files, setFiles] = useState<File[]>([])
  const [share, setShare] = useState<number>()
  const send = async ({ user_id = '' }: Values) => {
    const [file] = files
    if (!file) throw new Error('Choose a file.')
    setShare(0)
    await change('POST', '/v1/imports', { form: formOf({ user_id }, file), onProgress: setShare }).finally(() =>
      setShare(undefined),
    )
    setFiles([])
  }
  const user = { name: 'user_id', placeholder: 'default', hint: 'Memories that name no user belong to this one.' }
  return (
    <Card title="Import a file">
      <Form send={send} action="Import the file" saved="The service has the file and imports it now.">
        <p class="quiet">{READ}</p>
        <FilePicker label="Drop a file here, or choose one" hint="At most 2 GB." files={files} onFiles={setFiles} />
        <Field label="User" dir="auto" {...user} />
        {share !== undefined && (
          <p class="row">
            <progress aria-label="Sending the file" max={1} value={share} /> Keep this page open until it is sent.
          </p>
        )}
      </Form>
    </Card>
  )
}
