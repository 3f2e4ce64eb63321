import { Link } from '../../address.tsx'
import { call, chosenWorkspace } from '../../api.ts'
import { useData } from '../../data.ts'
import { FilePicker } from '../../file-picker.js'
import { Check, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Fault, Notice, Tabs } from '../../parts.tsx'
import { nameOf } from './name.js'

const WAYS = [
  { id: 'files', title: 'Files' },
  { id: 'page', title: 'A web page' },
]

/** @param {{onAdded: () => unknown}} props `onAdded` is called when jobs have begun */
export function Add({ onAdded }) {
  const [way, setWay] = useState('files')
  return html`<${Card} title="Add a document">
    <div class="stack">
      <${Tabs} options=${WAYS} chosen=${way} onChoose=${setWay} />
      <div hidden=${way !== 'files'}><${AddFiles} onAdded=${onAdded} /></div>
      <div hidden=${way !== 'page'}><${AddPage} onAdded=${onAdded} /></div>
    </div>
  <//>`
}

/** Reads which formats of files the service takes, from its description. */
function useFormats() {
  const { data } = useData('/openapi.json', {}, { everywhere: true })
  const body = data?.paths['/v1/memories/ingest']?.post.requestBody.content['multipart/form-data']
  return body?.schema.properties.format['x-formats'] ?? []
}

function sizesOf(formats) {
  const sizes = [...new Set(formats.map(({ bytesMax }) => bytesMax))].sort((a, b) => b - a)
  const lines = sizes.map(size => {
    const titles = formats.filter(({ bytesMax }) => bytesMax === size).map(({ title }) => title)
    return `At most ${size / 1024 ** 2} MB: ${titles.join(', ')}.`
  })
  return lines.join(' ')
}

function AddFiles({ onAdded }) {
  const formats = useFormats()
  const [files, setFiles] = useState([])
  const [sending, setSending] = useState('')
  const [outcome, setOutcome] = useState({ jobs: [], failures: [] })
  const send = async (values, form) => {
    if (files.length === 0) throw new Error('Choose at least one file.')
    const result = await sendEach(files, values, setSending)
    setSending('')
    const sent = new Set(result.sent)
    setFiles(now => now.filter(file => !sent.has(file)))
    setOutcome(result)
    if (result.failures.length === 0) empty(form)
    await onAdded()
  }
  return html`<${Form} send=${send} action=${files.length > 1 ? `Add ${files.length} files` : 'Add the file'}>
    <${FilePicker}
      label="Drop files here, or choose them"
      hint=${sizesOf(formats)}
      files=${files}
      onFiles=${setFiles}
      multiple
    />
    <div class="grid">
      <${Scope} />
      <${Field}
        label="Format"
        name="format"
        options=${[{ value: '', title: 'As the file tells' }, ...formats.map(({ id, title }) => ({ value: id, title }))]}
        value=""
      />
      ${files.length < 2 && html`<${DocumentName} hint="Left empty, it is the file's name." />`}
    </div>
    <${Replace} />
    ${sending !== '' && html`<${Notice}><p>${sending}</p><//>`}
    <${Outcome} ...${outcome} />
  <//>`
}

function AddPage({ onAdded }) {
  const [outcome, setOutcome] = useState({ jobs: [], failures: [] })
  const send = async (values, form) => {
    const job = await call('POST', '/v1/memories/ingest', { form: formOf({ ...values, format: 'URL' }) })
    setOutcome({ jobs: [job], failures: [] })
    empty(form)
    await onAdded()
  }
  return html`<${Form} send=${send} action="Add the page">
    <${Field}
      label="Address"
      name="source_url"
      type="url"
      required
      placeholder="https://"
      hint="The page must be public."
    />
    <div class="grid">
      <${Scope} />
      <${DocumentName} hint="Left empty, it is the address." />
    </div>
    <${Replace} />
    <${Outcome} ...${outcome} />
  <//>`
}

function Scope() {
  return html`<${Field}
    label="User"
    name="user_id"
    placeholder="default"
    dir="auto"
    hint="The memories belong to this user."
  />
    <${Field} label="Categories" name="categories" dir="auto" hint="Put commas between several." />`
}

function DocumentName({ hint }) {
  return html`<${Field} label="Document name" name="document_name" dir="auto" hint=${hint} />`
}

function Replace() {
  return html`<${Check} label="Replace what this user has under the same document name" name="replace" value="true" />`
}

/** Tells which jobs have begun, and which files were refused and why. */
function Outcome({ jobs, failures }) {
  return html`
    ${
      jobs.length > 0 &&
      html`<${Notice} kind="good">
        <p>The service reads what you added:</p>
        <ul>
          ${jobs.map(
            job => html`<li key=${job.id}>
              <${Link} to=${`/imports/${job.id}`} dir="auto">${nameOf(job)}<//>
            </li>`,
          )}
        </ul>
      <//>`
    }
    ${failures.map(
      ({ file, error }) => html`<div key=${file.name}>
        <p dir="auto">${file.name}</p>
        <${Fault} error=${error} />
      </div>`,
    )}
  `
}

/**
 * Sends each file in a request of its own, one after the other; one that is refused does not keep the others back. All go to the workspace
 * in which it was begun, even if another one is chosen meanwhile.
 */
async function sendEach(files, values, onSending) {
  const query = { workspace_id: chosenWorkspace() }
  const sent = []
  const jobs = []
  const failures = []
  for (const [n, file] of files.entries()) {
    const name = `\u2068${file.name}\u2069`
    onSending(files.length === 1 ? `Sending ${name} …` : `Sending ${n + 1} of ${files.length}: ${name} …`)
    try {
      jobs.push(await call('POST', '/v1/memories/ingest', { query, form: formOf(values, file) }))
      sent.push(file)
    } catch (error) {
      failures.push({ file, error })
    }
  }
  return { sent, jobs, failures }
}

/** The fields that are filled in, and the file after them. */
function formOf(values, file) {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string' && value.trim() !== '') form.append(name, value.trim())
  }
  if (file !== undefined) form.append('file', file, file.name)
  return form
}

/** Empties what belongs to one document only; user and categories stay for the next. */
function empty(form) {
  for (const { name, type } of [...form.elements]) {
    if (name === 'source_url' || name === 'document_name') form.elements[name].value = ''
    if (type === 'checkbox') form.elements[name].checked = false
  }
}
