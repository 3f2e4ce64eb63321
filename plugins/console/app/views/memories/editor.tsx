import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { change, useData } from '../../data.ts'
import { Ask, CategoriesField, Dialog, Field, Form, listOf, type Values } from '../../forms.tsx'
import { Button } from '../../parts.tsx'
import { counted, LAYERS, type Memory, metadataOf, metadataText, PRIORITIES } from './memory.ts'

interface AddProps {
  /** It suggests the user. */
  readonly user: string | undefined
  readonly onAdded: (message: string) => void
  readonly onClose: () => void
}

/** Asks for a new memory. */
export function Add({ user, onAdded, onClose }: AddProps) {
  const [layer, setLayer] = useState('RAW')
  const send = async (values: Values) => {
    await change('POST', '/v1/memories', { body: bodyOf(values) })
    onAdded('The memory was added. Searches find it by its words now, and by its meaning when it is completed.')
  }
  return (
    <Dialog title="Add a memory" onClose={onClose}>
      <Form send={send} action="Add the memory" onCancel={onClose}>
        <Field label="Text" name="memory" rows={5} required dir="auto" />
        <div class="grid">
          <Field
            label="User"
            name="user_id"
            list="known-users"
            dir="auto"
            placeholder="default"
            defaultValue={user ?? ''}
          />
          <Field label="Agent" name="agent_id" list="known-agents" dir="auto" />
          <Field label="Session" name="session_id" dir="auto" />
          <Field label="Priority" name="priority" options={PRIORITIES} value="MEDIUM" />
          <Field label="Stays" name="layer" options={LAYERS} value={layer} onValue={setLayer} />
          {layer === 'TASK' && (
            <Field
              label="Expires at"
              name="expires_at"
              type="datetime-local"
              hint="Left empty, the setting of the workspace decides."
            />
          )}
        </div>
        <CategoriesField />
        <Metadata hint={'A JSON object, as {"source": "chat"}.'} />
      </Form>
    </Dialog>
  )
}

const Metadata = ({ value = '', hint }: { value?: string; hint: string }) => (
  <Field label="Metadata" name="metadata" rows={3} spellcheck={false} hint={hint} defaultValue={value} />
)

const IDENTIFIERS = ['user_id', 'agent_id', 'session_id'] as const

function bodyOf({ memory, priority, layer, categories, metadata = '', expires_at, ...values }: Values) {
  const named = IDENTIFIERS.map(name => [name, values[name]?.trim()]).filter(([, value]) => value)
  return {
    memory,
    ...Object.fromEntries(named),
    priority,
    layer,
    categories: listOf(categories),
    metadata: metadataOf(metadata),
    ...(expires_at ? { expires_at: new Date(expires_at).toISOString() } : {}),
  }
}

export function Edit({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  // The memory may be loaded anew meanwhile, which is no change by the person at this form.
  const [before] = useState(memory)
  const [shown] = useState(() => typedOf(before))
  const send = async (values: Values) => {
    const now = await call<Memory>('GET', `/v1/memories/${before.id}`)
    if (now.memory !== before.memory) throw new Error(CHANGED)
    await change('PUT', `/v1/memories/${before.id}`, { body: changesOf(values, before, shown) })
    onClose()
  }
  return (
    <Dialog title="Edit the memory" onClose={onClose}>
      <Form send={send} action="Save" onCancel={onClose}>
        <Field label="Text" name="memory" rows={8} required dir="auto" defaultValue={shown.memory} />
        <Field label="Priority" name="priority" options={PRIORITIES} value={before.priority} />
        <CategoriesField defaultValue={shown.categories} />
        <Metadata value={shown.metadata} hint="A JSON object. Leave it empty to remove the metadata." />
      </Form>
    </Dialog>
  )
}

const CHANGED = 'The text was changed meanwhile. Copy what you wrote, close this form, and edit the newer text.'

/** A memory as the form shows it, where lines end as browsers have them. */
const typedOf = ({ memory, categories, metadata }: Memory) => ({
  memory: memory.replaceAll(/\r\n?/g, '\n'),
  categories: categories.join(', '),
  metadata: metadataText(metadata),
})

/** Sends only what was changed: a category may contain a comma, and metadata numbers that no browser holds. */
function changesOf(values: Values, before: Memory, shown: ReturnType<typeof typedOf>) {
  const { memory, priority, categories, metadata = '' } = values
  return {
    memory: memory === shown.memory ? before.memory : memory,
    ...(priority === before.priority ? {} : { priority }),
    ...(categories === shown.categories ? {} : { categories: listOf(categories) }),
    ...(metadata === shown.metadata ? {} : { metadata: metadataOf(metadata) }),
  }
}

interface EraseUserProps {
  /** It is likely meant. */
  readonly user?: string | undefined
  readonly onErased: (message: ComponentChildren) => void
  readonly onClose: () => void
}

/** Deletes all memories of one user, for good. */
export function EraseUser({ user = '', onErased, onClose }: EraseUserProps) {
  const [typed, setTyped] = useState(user)
  const { data, error } = useData<{ id: string; type: string; count: number }[]>('/v1/memories/entities')
  const find = (id: string) => data?.find(entity => entity.type === 'user' && entity.id === id)
  // Keyboards of phones add a space; an id that has one is listed, or is the one that was likely meant.
  const chosen = typed === user || find(typed) ? typed : typed.trim()
  const known = find(chosen)
  const count = known && counted(known.count, 'memory', 'memories')
  const erase = async ({ password }: Values) => {
    await change('DELETE', '/v1/memories', { query: { user_id: chosen }, password })
    onErased(
      <>
        All memories of <bdi>{chosen}</bdi> were deleted.
      </>,
    )
  }
  const all = known && known.count > 1 ? `All ${count}` : 'All memories'
  return (
    <Dialog title="Delete a user's memories" onClose={onClose}>
      <div class="stack">
        <Field label="User" name="erased" list="known-users" dir="auto" value={typed} onTyped={setTyped} />
        {chosen !== '' && data && (
          <p class="quiet" role="status">
            {known ? `This user has ${count}.` : 'No memory of this user is listed.'}
          </p>
        )}
        <div class="row end">
          <Button label="Cancel" onClick={onClose} />
          {chosen !== '' && (data || error) && (
            <Ask
              password
              label="Delete all memories"
              question={`${all} of the user \u2068${chosen}\u2069 are deleted for good, ${PROCESSED}.`}
              act={erase}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}

const PROCESSED = 'with conversations, documents and imports of this user that are still being processed'
