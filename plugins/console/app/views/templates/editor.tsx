import type { Template, TemplateMemory } from '@mneme/client'
import { useState } from 'preact/hooks'
import { CategoriesField, Check, Field, Form, listOf } from '../../forms.tsx'
import { Button, Card, Notice } from '../../parts.tsx'
import { LAYERS, metadataOf, metadataText, PRIORITIES } from '../memories/memory.ts'

/** A memory as the fields of the form hold it. The number tells it from all others, so that it keeps its place on the page. */
interface MemoryDraft {
  readonly key: number
  readonly memory: string
  readonly categories: string
  readonly priority: string
  readonly layer: string
  readonly metadata: string
  readonly given?: TemplateMemory
}

type VariableDraft = { key: number; name: string; required: boolean; fallback: string }

interface Draft {
  readonly name: string
  readonly description: string
  readonly variables: readonly VariableDraft[]
  readonly memories: readonly MemoryDraft[]
}

let last = 0

const emptyVariable = (name = ''): VariableDraft => ({ key: ++last, name, required: true, fallback: '' })

const emptyMemory = (): MemoryDraft => ({
  key: ++last,
  memory: '',
  categories: '',
  priority: 'MEDIUM',
  layer: 'RAW',
  metadata: '',
})

function draftOf(template: Template | undefined): Draft {
  if (!template) return { name: '', description: '', variables: [], memories: [emptyMemory()] }
  const { name, description, variables, memories } = template
  return {
    name,
    description: description ?? '',
    variables: variables.map(variable => ({ ...variable, key: ++last, fallback: variable.default ?? '' })),
    memories: memories.map(given => ({
      ...given,
      key: ++last,
      categories: given.categories.join(', '),
      metadata: metadataText(given.metadata),
      given,
    })),
  }
}

/** The body of a request that saves the draft. */
function bodyOf({ name, description, variables, memories }: Draft) {
  return {
    name: name.trim(),
    description: description.trim() || null,
    variables: variables.map(({ name, required, fallback }) => ({
      name: name.trim(),
      required,
      default: fallback || null,
    })),
    memories: memories.map((draft, n) => ({
      memory: draft.memory,
      priority: draft.priority,
      layer: draft.layer,
      ...detailsOf(draft, n + 1),
    })),
  }
}

/** What was not edited is sent as it was given: a category may hold a comma. */
function detailsOf({ categories, metadata, given }: MemoryDraft, number: number) {
  try {
    return {
      categories: given?.categories.join(', ') === categories ? given.categories : listOf(categories),
      metadata: given && metadataText(given.metadata) === metadata ? given.metadata : metadataOf(metadata),
    }
  } catch (error) {
    throw new Error(`Memory ${number}: ${error instanceof Error ? error.message : error}`)
  }
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/** The names that stand between braces but are not among the variables. */
function missingIn({ variables, memories }: Draft): string[] {
  const known = new Set(variables.map(({ name }) => name.trim()))
  const texts = memories.flatMap(({ memory, categories, metadata }) => [memory, categories, metadata])
  const used = texts.flatMap(text => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))
  return [...new Set(used)].filter(name => !known.has(name))
}

type EditorProps = { template?: Template; action: string; saved?: string; save: (body: object) => Promise<unknown> }

const MEMORIES_MAX = 100
const VARIABLES_MAX = 50

/** A form for all of a template. */
export function Editor({ template, action, saved = '', save }: EditorProps) {
  const [draft, setDraft] = useState(() => draftOf(template))
  const { name, description, memories, variables } = draft
  const change = (changes: Partial<Draft>) => setDraft(before => ({ ...before, ...changes }))
  const missing = missingIn(draft)
  const add = (names: readonly string[]) =>
    change({ variables: [...variables, ...names.map(each => emptyVariable(each))] })
  return (
    <Form send={() => save(bodyOf(draft))} action={action} saved={saved}>
      <Card title="Template" isStack>
        <Field label="Name" name="name" required dir="auto" value={name} onTyped={text => change({ name: text })} />
        <Field
          label="Description"
          name="description"
          rows={2}
          dir="auto"
          hint="It says what the template is for."
          value={description}
          onTyped={text => change({ description: text })}
        />
      </Card>
      <Card title="Memories">
        <p class="quiet">Write {'{{name}}'} in a text, a category or metadata where the value of the variable goes.</p>
        <div class="stack">
          {memories.map((memory, n) => (
            <MemoryRow
              key={memory.key}
              number={n + 1}
              memory={memory}
              onChange={changes => change({ memories: replaced(memories, memory, changes) })}
              onRemove={memories.length > 1 && (() => change({ memories: memories.filter(each => each !== memory) }))}
            />
          ))}
          {memories.length < MEMORIES_MAX && (
            <div class="row">
              <Button label="Add a memory" onClick={() => change({ memories: [...memories, emptyMemory()] })} />
            </div>
          )}
        </div>
      </Card>
      <Card title="Variables" isStack>
        {variables.length === 0 && <p class="quiet">There are none: the memories are the same for every user.</p>}
        {variables.map((variable, n) => (
          <VariableRow
            key={variable.key}
            number={n + 1}
            variable={variable}
            onChange={changes => change({ variables: replaced(variables, variable, changes) })}
            onRemove={() => change({ variables: variables.filter(each => each !== variable) })}
          />
        ))}
        {missing.length > 0 && (
          <Notice kind="warn" text={`The memories name what is not among the variables: ${missing.join(', ')}.`}>
            <Button kind="link" label={missing.length === 1 ? 'Add it' : 'Add them'} onClick={() => add(missing)} />
          </Notice>
        )}
        {variables.length < VARIABLES_MAX && (
          <div class="row">
            <Button label="Add a variable" onClick={() => add([''])} />
          </div>
        )}
      </Card>
    </Form>
  )
}

function replaced<Row>(rows: readonly Row[], row: Row, changes: Partial<Row>): Row[] {
  return rows.map(each => (each === row ? { ...each, ...changes } : each))
}

interface RowProps<Row> {
  readonly number: number
  readonly onChange: (changes: Partial<Row>) => void
  readonly onRemove: (() => void) | false
}

function MemoryRow({ number, memory, onChange, onRemove }: RowProps<MemoryDraft> & { memory: MemoryDraft }) {
  type Name = 'memory' | 'categories' | 'priority' | 'layer' | 'metadata'
  const typed = (name: Name) => ({ name, value: memory[name], onTyped: (text: string) => onChange({ [name]: text }) })
  // It stays open while what is in it is deleted and written anew.
  const [hasMetadata] = useState(memory.metadata !== '')
  return (
    <fieldset class="stack" name={`memories.${number - 1}`}>
      <legend>Memory {number}</legend>
      <Field label="Text" rows={2} required dir="auto" {...typed('memory')} />
      <div class="grid">
        <CategoriesField {...typed('categories')} />
        <Field label="Priority" options={PRIORITIES} {...typed('priority')} />
        <Field label="Stays" options={LAYERS} {...typed('layer')} />
      </div>
      <details open={hasMetadata}>
        <summary>Metadata</summary>
        <Field label="JSON object" rows={3} spellcheck={false} {...typed('metadata')} />
      </details>
      {onRemove && (
        <div class="row end">
          <Button kind="link" label="Remove" aria-label={`Remove memory ${number}`} onClick={onRemove} />
        </div>
      )}
    </fieldset>
  )
}

const NAME = {
  pattern: '[A-Za-z_][A-Za-z0-9_]{0,63}',
  title: 'A name begins with a letter or _ and holds letters, digits and _.',
}

function VariableRow({ number, variable, onChange, onRemove }: RowProps<VariableDraft> & { variable: VariableDraft }) {
  const { name, fallback, required } = variable
  return (
    <fieldset class="row" name={`variables.${number - 1}`}>
      <legend>Variable {number}</legend>
      <Field label="Name" name="variable" required value={name} onTyped={text => onChange({ name: text })} {...NAME} />
      <Field
        label="Default"
        name="default"
        dir="auto"
        placeholder="None"
        value={fallback}
        onTyped={text => onChange({ fallback: text })}
      />
      <Check
        label="Required"
        name="required"
        checked={required}
        onTicked={isTicked => onChange({ required: isTicked })}
      />
      <Button kind="link" label="Remove" aria-label={`Remove variable ${number}`} onClick={onRemove || undefined} />
    </fieldset>
  )
}
