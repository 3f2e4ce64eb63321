import type { IngestJob } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, navigate, thenLeave, useAddress } from '../address.tsx'
import { call, chosenWorkspace } from '../api.ts'
import { Copyable } from '../copy.tsx'
import { change, useData } from '../data.ts'
import { FilePicker } from '../file-picker.tsx'
import { Act, Ask, CategoriesField, Check, Field, Form, formOf, Narrow, UserField, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import {
  Badge,
  Button,
  Card,
  type Column,
  Detail,
  DropDown,
  Facts,
  Fault,
  Head,
  Notice,
  Tabs,
  Time,
  Two,
} from '../parts.tsx'
import { anyUnderWay, isUnderWay, State } from '../progress.tsx'
import type { Memory } from './memories/memory.ts'

/** Documents that became memories: all of them, or the one that the address names. */
export function Imports() {
  const { parts } = useAddress()
  return parts[1] === undefined ? <Jobs /> : <Job key={parts[1]} id={parts[1]} />
}

function Jobs() {
  const { status, user_id } = useAddress().query
  const jobs = usePage<List<IngestJob>>('/v1/ingest-jobs', { status, user_id }, { goesOn: anyUnderWay })
  const none = status || user_id ? NONE_FITS : NONE_YET
  return (
    <>
      <Head title="Files and pages" about="Documents are read in parts, and each part becomes a memory." />
      <Add />
      <Narrow label="Filters" fields={FILTERS} />
      <Listed label="Documents" from={jobs} columns={COLUMNS} none={none} />
    </>
  )
}

const STATUSES = { '': 'All', PENDING: 'Waiting', PROCESSING: 'Being read', COMPLETED: 'Completed', FAILED: 'Failed' }
const FILTERS = [
  { label: 'Status', name: 'status', options: STATUSES },
  { label: 'User', name: 'user_id', placeholder: 'All users' },
]

const NONE_FITS = 'No document fits. Choose another status or user.'
const NONE_YET =
  'No documents yet. Files and pages that you add above, or that agents send to the API, are listed here with their progress.'

const COLUMNS: readonly Column<IngestJob>[] = [
  ['Document', job => <Link to={`/imports/${job.id}`} class="clipped" text={nameOf(job)} />],
  ['Status', progressOf],
  ['Memories', countsOf, 'number'],
  ['Format', ({ format }) => format],
  ['User', ({ user_id }) => <bdi>{user_id}</bdi>],
  ['Added', ({ created_at }) => <Time at={created_at} />],
]

function progressOf(job: IngestJob) {
  const { chunks_done: done, chunks_total: total } = job.progress
  const warned = job.warnings.length === 1 ? 'There is a warning.' : `There are ${job.warnings.length} warnings.`
  return (
    <State job={job} label={`Progress of ${nameOf(job)}`} done={done} total={total} unit="parts">
      {job.warnings.length > 0 && <small class="quiet">{warned}</small>}
    </State>
  )
}

function countsOf({ memories_created: made, memories_skipped: known, memories_removed: removed }: IngestJob) {
  const others = [known && `${count(known)} known`, removed && `${count(removed)} removed`].filter(Boolean)
  return <Two text={count(made ?? 0)} below={others.join(', ')} />
}

const count = (number: number | null) => number?.toLocaleString('en')

/** A document, how far it is read, and the memories that came of it. */
const Job = ({ id }: { id: string }) => (
  <Detail<IngestJob>
    back={['/imports', 'All files and pages']}
    path={`/v1/ingest-jobs/${encodeURIComponent(id)}`}
    goesOn={isUnderWay}
  >
    {data => (
      <>
        <Head title={nameOf(data)} about={STATES[data.status]}>
          <Actions job={data} />
        </Head>
        {data.error && <Notice kind="bad" text={<bdi>{data.error}</bdi>} />}
        {data.warnings.map(warning => (
          <Notice key={warning} kind="warn" text={<bdi>{warning}</bdi>} />
        ))}
        <Card title="The job">
          <Facts of={factsOf(data)} />
        </Card>
        <Memories key={data.status} job={data} />
      </>
    )}
  </Detail>
)

const STATES = {
  PENDING: 'The document waits for its turn.',
  PROCESSING: 'The document is being read.',
  COMPLETED: 'All memories of the document can be searched.',
  FAILED: 'The document was not read to its end.',
}

function Actions({ job }: { job: IngestJob }) {
  const path = `/v1/ingest-jobs/${job.id}`
  const remove = (query: object) => thenLeave(call('DELETE', path, { query: { ...query } }), () => '/imports')
  return (
    <>
      {isUnderWay(job) && (
        <Ask label="Stop" kind="plain" question={STOPPING} act={() => change('POST', `${path}/cancel`)} />
      )}
      {job.status === 'FAILED' && job.format === 'URL' && <Act label="Read it again" work={() => readAgain(job)} />}
      <DropDown icon="delete" label="Delete">
        <Ask label="Delete the job" question={DELETING} act={() => remove({})} />
        <Ask label="Delete with memories" question={DELETING_ALL} act={() => remove({ memories: true })} />
      </DropDown>
    </>
  )
}

const STOPPING = 'The job ends after its current step. Memories made by then are kept.'
const DELETING = 'The job leaves the list. Its memories stay and can be searched as before.'
const DELETING_ALL =
  'The job and all memories of the document are deleted for good, but for texts that another document of the user has too.'

/** A page is read once more with the fields that it had. */
async function readAgain({ format, source_url, user_id, categories, document_name }: IngestJob): Promise<void> {
  const form = new FormData()
  const fields = { format, source_url, user_id, categories: categories.join(','), document_name }
  for (const [name, value] of Object.entries(fields)) if (value) form.append(name, value)
  const { id } = await call<IngestJob>('POST', '/v1/memories/ingest', { form })
  navigate(`/imports/${id}`)
}

function factsOf(job: IngestJob) {
  const { chunks_done, chunks_total } = job.progress
  const parts = chunks_total !== null && `${count(chunks_done)} of ${count(chunks_total)}`
  return [
    ['Status', isUnderWay(job) ? progressOf(job) : <Badge>{job.status}</Badge>],
    ['Parts', !isUnderWay(job) && parts],
    ['Memories created', count(job.memories_created)],
    ['Skipped, as they were known', count(job.memories_skipped)],
    ['Removed with older versions', count(job.memories_removed)],
    ['Format', job.format],
    ['Read by', job.read_by],
    ['User', <bdi key="user">{job.user_id}</bdi>],
    ['Categories', job.categories.length > 0 && <bdi>{job.categories.join(', ')}</bdi>],
    ['File', job.file_name && <bdi>{job.file_name}</bdi>],
    ['Address', job.source_url && <Address url={job.source_url} />],
    ['Document name', job.document_name && <bdi>{job.document_name}</bdi>],
    ['Added', <Time key="added" at={job.created_at} />],
    ['Error', job.error_code && <code>{job.error_code}</code>],
    ['Id', <Copyable key="id" text={job.id} />],
  ] as const
}

/** Only addresses of the web become links, so that none of them runs a script. */
function Address({ url }: { url: string }) {
  if (!/^https?:/i.test(url)) return <code>{url}</code>
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {url}
    </a>
  )
}

const MEMORY_COLUMNS: readonly Column<Memory>[] = [
  ['Memory', ({ id, memory }) => <Link to={`/memories/${id}`} class="clipped" text={memory} />],
  ['Categories', ({ categories }) => <bdi>{categories.join(', ')}</bdi>],
  ['Status', ({ status }) => <Badge>{status}</Badge>],
]

function Memories({ job }: { job: IngestJob }) {
  const isReading = isUnderWay(job)
  const memories = usePage<List<Memory>>(`/v1/ingest-jobs/${job.id}/memories`, {}, { goesOn: () => isReading })
  return (
    <Card title="Memories of the document">
      <Listed label="Memories" from={memories} columns={MEMORY_COLUMNS} none={noneOf(job)} />
    </Card>
  )
}

function noneOf(job: IngestJob): string {
  if (isUnderWay(job)) return 'No memories yet. They appear here as the document is read.'
  if (job.memories_skipped) {
    return 'Nothing new. The workspace had what this document says, or it was deleted since.'
  }
  return 'No memories. None came of this document, or they were deleted.'
}

const WAYS = { files: 'Files', page: 'A web page' }

/** The words by which people know a document. */
const nameOf = ({ title, document_name, file_name, source_url }: IngestJob) =>
  title || document_name || file_name || source_url || 'A document without a name'

/** A document on its way to the service, or there, or refused. */
type Sent = { key: number; values: Values; file?: File; share?: number; job?: IngestJob; error?: Error }

let last = 0

/** Adds files or a page; each is sent by itself, and one that is refused is sent again with the same fields. */
function Add() {
  const [way, setWay] = useState('files')
  const [sent, setSent] = useState<readonly Sent[]>([])
  const note = (key: number, changes: Partial<Sent>) =>
    setSent(before => before.map(each => (each.key === key ? { ...each, ...changes } : each)))
  // All go to the workspace in which it was begun, even if another one is chosen meanwhile.
  const send = async ({ key, values, file }: Sent, query = { workspace_id: chosenWorkspace() }) => {
    const fresh: Sent = { key, values, share: 0, ...(file && { file }) }
    setSent(before => [...before.filter(each => each.key !== key), fresh])
    const onProgress = (share: number) => note(key, { share })
    const options = { query, form: formOf(values, file), onProgress }
    await change<IngestJob>('POST', '/v1/memories/ingest', options).then(
      job => note(key, { job }),
      (error: Error) => note(key, { error }),
    )
  }
  const sendEach = async (values: Values, files: readonly (File | undefined)[]) => {
    const query = { workspace_id: chosenWorkspace() }
    for (const file of files) await send({ key: ++last, values, ...(file && { file }) }, query)
  }
  return (
    <Card title="Add a document" isStack>
      <Tabs options={WAYS} chosen={way} onChoose={setWay} />
      <div hidden={way !== 'files'}>
        <AddFiles send={sendEach} />
      </div>
      <div hidden={way !== 'page'}>
        <AddPage send={values => sendEach({ ...values, format: 'URL' }, [undefined])} />
      </div>
      {sent.length > 0 && (
        <ul class="alerts" aria-label="What was added" aria-live="polite">
          {sent.map(each => (
            <Row key={each.key} sent={each} again={() => void send(each)} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Row({ sent: { values, file, share = 0, job, error }, again }: { sent: Sent; again: () => void }) {
  const name = file?.name ?? values.source_url ?? ''
  if (job) {
    return (
      <li class="alert-row">
        <Link to={`/imports/${job.id}`} class="grow" text={nameOf(job)} /> <Badge kind="good">sent</Badge>
      </li>
    )
  }
  return (
    <li class="alert-row">
      <bdi class="grow">{name}</bdi>
      {!error && <progress aria-label={`Sending ${name}`} max={1} value={share} />}
      {error && <Button label="Try again" aria-label={`Send ${name} again`} onClick={again} />}
      <Fault error={error} />
    </li>
  )
}

type Format = { id: string; title: string; bytesMax: number }

/** Reads which formats of files the service takes, from its description. */
function useFormats(): readonly Format[] {
  const { data } = useData('/openapi.json', {}, { everywhere: true })
  const at = (value: unknown, ...names: string[]) =>
    names.reduce<unknown>((inside, name) => Reflect.get(Object(inside), name), value)
  const body = at(data, 'paths', '/v1/memories/ingest', 'post', 'requestBody', 'content', 'multipart/form-data')
  return (at(body, 'schema', 'properties', 'format', 'x-formats') as Format[] | undefined) ?? []
}

function sizesOf(formats: readonly Format[]): string {
  const sizes = [...new Set(formats.map(({ bytesMax }) => bytesMax))].sort((a, b) => b - a)
  const titlesOf = (size: number) => formats.filter(({ bytesMax }) => bytesMax === size).map(({ title }) => title)
  return sizes.map(size => `At most ${size / 1024 ** 2} MB: ${titlesOf(size).join(', ')}.`).join(' ')
}

function AddFiles({ send }: { send: (values: Values, files: readonly File[]) => Promise<void> }) {
  const formats = useFormats()
  const [files, setFiles] = useState<File[]>([])
  const add = async (values: Values, form: HTMLFormElement) => {
    if (files.length === 0) throw new Error('Choose at least one file.')
    setFiles([])
    empty(form)
    await send(values, files)
  }
  const options = { '': 'As the file tells', ...Object.fromEntries(formats.map(({ id, title }) => [id, title])) }
  return (
    <Form send={add} action={files.length > 1 ? `Add ${files.length} files` : 'Add the file'}>
      <FilePicker
        label="Drop files here, or choose them"
        hint={sizesOf(formats)}
        files={files}
        onFiles={setFiles}
        multiple
      />
      <div class="grid">
        <Scope />
        <Field label="Format" name="format" options={options} value="" />
        {files.length < 2 && <DocumentName hint="Left empty, it is the file's name." />}
      </div>
      <Replace />
    </Form>
  )
}

function AddPage({ send }: { send: (values: Values) => Promise<void> }) {
  const add = async (values: Values, form: HTMLFormElement) => {
    empty(form)
    await send(values)
  }
  const address = { name: 'source_url', type: 'url', required: true, placeholder: 'https://' } as const
  return (
    <Form send={add} action="Add the page">
      <Field label="Address" hint="The page must be public." {...address} />
      <div class="grid">
        <Scope />
        <DocumentName hint="Left empty, it is the address." />
      </div>
      <Replace />
    </Form>
  )
}

const Scope = () => (
  <>
    <UserField />
    <CategoriesField />
  </>
)

const DocumentName = ({ hint }: { hint: string }) => (
  <Field label="Document name" name="document_name" dir="auto" hint={hint} />
)

const Replace = () => (
  <Check label="Replace what this user has under the same document name" name="replace" value="true" />
)

/** Empties what belongs to one document only; user and categories stay for the next. */
function empty(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('input')) {
    if (field.name === 'source_url' || field.name === 'document_name') field.value = ''
    if (field.type === 'checkbox') field.checked = false
  }
}
