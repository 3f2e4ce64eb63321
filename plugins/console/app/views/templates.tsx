import type { BuiltInTemplate, Template } from '@mneme/client'
import { Link, thenLeave, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { change, useData } from '../data.ts'
import { Act, Ask } from '../forms.tsx'
import { type List, Listed, Paged, usePage } from '../paged.tsx'
import { Card, type Column, Empty, Head, Loaded, Tabs, Time, Two } from '../parts.tsx'
import { Apply, Texts } from './templates/apply.tsx'
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
  const template = useData<Template>(path)
  const way = query.way === 'edit' ? 'edit' : 'apply'
  const remove = () => thenLeave(call('DELETE', path), () => '/templates')
  const save = (body: object) => change('PATCH', path, { body })
  return (
    <Loaded from={template}>
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
    </Loaded>
  )
}

const SAVED = 'The template is saved. Memories that were made of it stay as they are.'
