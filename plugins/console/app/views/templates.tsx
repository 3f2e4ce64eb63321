import type {
  ApplyTemplateResult,
  BuiltInTemplate,
  ListedMemory,
  PreviewTemplateResult,
  Template,
  TemplateVariable,
} from '@mneme/client'
import { useState } from 'preact/hooks'
import { Link, thenLeave, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { change, useData } from '../data.ts'
import { Act, Ask, Field, Form, UserField, type Values } from '../forms.tsx'
import { type List, Listed, Paged, usePage } from '../paged.tsx'
import {
  Badge,
  Button,
  Card,
  type Column,
  Empty,
  Head,
  Load,
  Loaded,
  Notice,
  Table,
  Tabs,
  Time,
  Two,
} from '../parts.tsx'
import { counted } from './memories/memory.ts'
import { Editor } from './templates/editor.tsx'

/** Templates of memories: all of them, a new one, or the one that the address names. */
export function Templates() {
  const [, id] = useAddress().parts
  if (id === undefined) return <All />
  return (
    <>
      <p>
        <Link to="/templates" text="All templates" />
      </p>
      {id === 'new' ? <New /> : <One key={id} id={id} />}
    </>
  )
}

const KINDS = { own: 'Of this workspace', 'built-in': 'Built-in' }

function All() {
  const { query, set } = useAddress()
  const kind = query.kind === 'built-in' ? 'built-in' : 'own'
  return (
    <>
      <Head title="Templates" about="A template stores the same memories for one user after the other.">
        <Link to="/templates/new" class="button first" text="Write a template" />
      </Head>
      <Tabs options={KINDS} chosen={kind} onChoose={chosen => set({ kind: chosen })} />
      {kind === 'own' ? <Own /> : <BuiltIn />}
    </>
  )
}

const COLUMNS: readonly Column<Template>[] = [
  [
    'Template',
    ({ id, name, description }) => <Two text={<Link to={`/templates/${id}`} text={name} />} below={description} />,
  ],
  ['Variables', ({ variables }) => variables.map(({ name }) => name).join(', ') || '–'],
  ['Memories', ({ memories }) => memories.length, 'number'],
  ['Changed', ({ updated_at }) => <Time at={updated_at} />],
]

function Own() {
  const templates = usePage<List<Template>>('/v1/templates')
  const none = 'No templates yet. Write one, or copy one of those that are built in.'
  return <Listed label="Templates" from={templates} columns={COLUMNS} none={none} />
}

/** Templates that come with the service; a copy of one can be applied and changed. */
function BuiltIn() {
  const templates = usePage<List<BuiltInTemplate>>('/v1/templates/built-in')
  return (
    <Paged from={templates} none={<Empty title="No built-in templates" text="Write a template of your own." />}>
      {({ data }) => data.map(template => <Example key={template.key} of={template} />)}
    </Paged>
  )
}

function Example({ of: { key, name, description, variables, memories } }: { of: BuiltInTemplate }) {
  const path = `/v1/templates/built-in/${encodeURIComponent(key)}/copy`
  const copy = () => thenLeave(call<Template>('POST', path), ({ id }) => `/templates/${id}`, false)
  return (
    <Card title={<bdi>{name}</bdi>}>
      <p dir="auto">{description}</p>
      {variables.length > 0 && <p class="quiet">Variables: {variables.map(each => each.name).join(', ')}</p>}
      <details>
        <summary>{memories.length === 1 ? 'Its memory' : `Its ${memories.length} memories`}</summary>
        <Texts memories={memories} />
      </details>
      <div class="row end">
        <Act label="Copy" work={copy} aria-label={`Copy ${name}`} />
      </div>
    </Card>
  )
}

function New() {
  const save = (body: object) =>
    thenLeave(call<Template>('POST', '/v1/templates', { body }), ({ id }) => `/templates/${id}`)
  return (
    <>
      <Head title="A new template" />
      <Editor action="Create the template" save={save} />
    </>
  )
}

const WAYS = { apply: 'Apply', edit: 'Edit' }

/** A template, which is applied or changed here. Both parts stay on the page, so that neither loses what is typed. */
function One({ id }: { id: string }) {
  const { query, set } = useAddress()
  const path = `/v1/templates/${encodeURIComponent(id)}`
  const way = query.way === 'edit' ? 'edit' : 'apply'
  const remove = () => thenLeave(call('DELETE', path), () => '/templates')
  const save = (body: object) => change('PATCH', path, { body })
  return (
    <Load<Template> path={path}>
      {data => (
        <>
          <Head title={data.name} about={data.description}>
            <Ask label="Delete" question="The template is deleted. Memories that were made of it stay." act={remove} />
          </Head>
          <Tabs options={WAYS} chosen={way} onChoose={chosen => set({ way: chosen })} />
          <div class="stack" hidden={way !== 'apply'}>
            <Card title="Texts">
              <Texts memories={data.memories} />
            </Card>
            <Apply key={data.updated_at} template={data} />
          </div>
          <div class="stack" hidden={way !== 'edit'}>
            <Editor template={data} action="Save the template" save={save} saved={SAVED} />
          </div>
        </>
      )}
    </Load>
  )
}

const SAVED = 'The template is saved. Memories that were made of it stay as they are.'

type Text = { memory: string; categories: readonly string[]; priority: string; layer: string }

const TEXT_COLUMNS: readonly Column<Text>[] = [
  ['Memory', ({ memory }) => <Whole text={memory} />],
  ['Categories', ({ categories }) => <bdi>{categories.join(', ')}</bdi>],
  ['Priority', ({ priority }) => <Badge>{priority}</Badge>],
  ['Stays', ({ layer }) => (layer === 'TASK' ? 'Until it expires' : 'Always')],
]

/** A text in a few lines; the whole of a long one can be opened. */
function Whole({ text }: { text: string }) {
  const isLong = text.length > 200 || text.split('\n', 4).length > 3
  return (
    <>
      <span class="clipped written">{text}</span>
      {isLong && (
        <details>
          <summary>Show the whole text</summary>
          <p class="written">{text}</p>
        </details>
      )}
    </>
  )
}

/** The memories of a template, or what they become with values in the places of its variables. */
const Texts = ({ memories, label = 'Memories of the template' }: { memories: readonly Text[]; label?: string }) => (
  <Table label={label} columns={TEXT_COLUMNS} rows={memories} keyOf={text => String(memories.indexOf(text))} />
)

const OWNERS = ['user_id', 'agent_id', 'session_id'] as const

/** A form for the values of the variables, with a preview, that stores the memories for a user. */
function Apply({ template: { id, variables } }: { readonly template: Template }) {
  const [values, setValues] = useState<Values>({})
  const [previewed, setPreviewed] = useState<Values>()
  const [applied, setApplied] = useState<ApplyTemplateResult>()
  const path = `/v1/templates/${id}`
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const asked = { variables: previewed }
  const preview = useData<PreviewTemplateResult>(previewed && `${path}/preview`, asked, { asBody: true })
  const show = () => {
    setApplied(undefined)
    setPreviewed(given)
  }
  const send = async (typed: Values) => {
    setPreviewed(undefined)
    const owners = Object.fromEntries(OWNERS.map(name => [name, typed[name]?.trim() || null]))
    setApplied(await call('POST', `${path}/apply`, { body: { variables: given, ...owners } }))
  }
  // What was previewed is no longer what would be stored.
  const note = (name: string, value: string) => {
    setPreviewed(undefined)
    setValues(before => ({ ...before, [name]: value }))
  }
  return (
    <>
      <Card title="Apply it to a user">
        <Form send={send} action="Store the memories">
          <div class="grid">
            <UserField />
            <Field label="Agent" name="agent_id" dir="auto" hint="May be left empty." />
            <Field label="Session" name="session_id" dir="auto" hint="May be left empty." />
          </div>
          <div class="grid">
            {variables.map(variable => (
              <Value key={variable.name} of={variable} value={values[variable.name] ?? ''} onChange={note} />
            ))}
          </div>
          <div class="row end">
            <Button label="Preview" onClick={show} />
          </div>
        </Form>
      </Card>
      {previewed && (
        <Card title="Preview">
          <Loaded from={preview}>{({ memories }) => <Texts memories={memories} label="Preview" />}</Loaded>
        </Card>
      )}
      {applied && <Applied result={applied} />}
    </>
  )
}

type ValueProps = { of: TemplateVariable; value: string; onChange: (name: string, value: string) => void }

function Value({ of: { name, required, default: fallback }, value, onChange }: ValueProps) {
  const hint = required ? 'A value is required.' : 'May be left empty.'
  return (
    <Field
      label={name}
      name={`variables.${name}`}
      dir="auto"
      value={value}
      onTyped={typed => onChange(name, typed)}
      required={required && fallback === null}
      placeholder={fallback ?? ''}
      hint={fallback === null ? hint : 'Left empty, it has its default.'}
    />
  )
}

const STORED_COLUMNS: readonly Column<ListedMemory>[] = [
  ['Memory', ({ id, memory }) => <Link to={`/memories/${id}`} class="clipped" text={memory} />],
  ['User', ({ user_id }) => <bdi>{user_id}</bdi>],
  ['Status', ({ status }) => <Badge>{status}</Badge>],
]

function Applied({ result: { memories_created, memories_skipped, memories } }: { result: ApplyTemplateResult }) {
  const told = (count: number) => counted(count, 'memory was', 'memories were')
  const skipped = memories_skipped > 0 && `${told(memories_skipped)} skipped, as the workspace has the text already.`
  return (
    <Card title="Memories that were stored">
      <Notice kind="good" text={`${told(memories_created)} created. ${skipped || ''}`} />
      {memories.length > 0 && <Table label="Memories that were stored" columns={STORED_COLUMNS} rows={memories} />}
    </Card>
  )
}
