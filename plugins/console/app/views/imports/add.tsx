import type { IngestJob } from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link } from '../../address.tsx'
import { chosenWorkspace } from '../../api.ts'
import { change, useData } from '../../data.ts'
import { FilePicker } from '../../file-picker.tsx'
import { Check, Field, Form, type Values } from '../../forms.tsx'
import { Badge, Button, Card, Fault, Tabs } from '../../parts.tsx'

const WAYS = { files: 'Files', page: 'A web page' }

/** The words by which people know a document. */
export const nameOf = ({ title, document_name, file_name, source_url }: IngestJob) =>
  title || document_name || file_name || source_url || 'A document without a name'

/** A document on its way to the service, or there, or refused. */
type Sent = { key: number; values: Values; file?: File; share?: number; job?: IngestJob; error?: Error }

let last = 0

/** Adds files or a page; each is sent by itself, and one that is refused is sent again with the same fields. */
export function Add() {
  const [way, setWay] = useState('files')
  const [sent, setSent] = useState<readonly Sent[]>([])
  const note = (key: number, changes: Partial<Sent>) =>
    setSent(before => before.map(each => (each.key === key ? { ...each, ...changes } : each)))
  // All go to the workspace in which it was begun, even if another one is chosen meanwhile.
  const send = async ({ key, values, file }: Sent, query = { workspace_id: chosenWorkspace() }) => {
    const { error: _, ...fresh } = { key, values, ...(file && { file }), share: 0, error: undefined }
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
    <Card title="Add a document">
      <div class="stack">
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
      </div>
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
    <Field label="User" name="user_id" placeholder="default" dir="auto" hint="The memories belong to this user." />
    <Field label="Categories" name="categories" dir="auto" hint="Put commas between several." />
  </>
)

const DocumentName = ({ hint }: { hint: string }) => (
  <Field label="Document name" name="document_name" dir="auto" hint={hint} />
)

const Replace = () => (
  <Check label="Replace what this user has under the same document name" name="replace" value="true" />
)

/** The fields that are filled in, and the file after them. */
function formOf(values: Values, file?: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && value.trim() !== '') form.append(name, value.trim())
  }
  if (file) form.append('file', file, file.name)
  return form
}

/** Empties what belongs to one document only; user and categories stay for the next. */
function empty(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('input')) {
    if (field.name === 'source_url' || field.name === 'document_name') field.value = ''
    if (field.type === 'checkbox') field.checked = false
  }
}
