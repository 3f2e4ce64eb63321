import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { reloadShown, useAction } from '../../data.ts'
import { Ask, Dialog, Field, Form, listOf, type Values } from '../../forms.tsx'
import { Button, Fault } from '../../parts.tsx'
import { counted, type Memory } from './memory.ts'

interface BulkProps {
  readonly memories: readonly Memory[]
  readonly queryHash: string | undefined
  readonly onClear: () => void
}

/** What can be done with the chosen memories at once. */
export function Bulk({ memories, queryHash, onClear }: BulkProps) {
  const [isNaming, setNaming] = useState(false)
  const all = async (work: (memory: Memory) => Promise<unknown>) => {
    try {
      await each(memories, work)
      onClear()
    } finally {
      await reloadShown()
    }
  }
  const rating = useAction((signal: string) =>
    all(({ id }) => call('POST', `/v1/memories/${id}/feedback`, { body: { signal, query_hash: queryHash } })),
  )
  const keeping = useAction(() => all(({ id }) => call('POST', `/v1/memories/${id}/promote`)))
  const name = async ({ add, remove }: Values) => {
    const removed = new Set(listOf(remove))
    await all(({ id, memory, categories }) => {
      const named = [...new Set([...categories, ...listOf(add)])].filter(category => !removed.has(category))
      return call('PUT', `/v1/memories/${id}`, { body: { memory, categories: named } })
    })
    setNaming(false)
  }
  const told = counted(memories.length, 'memory', 'memories')
  return (
    <fieldset class="bulk" aria-label="What is chosen">
      <b>{memories.length} chosen</b>
      <Button icon="tag" onClick={() => setNaming(true)} label="Categories" />
      {memories.every(({ layer }) => layer === 'TASK') && (
        <Button isBusy={keeping.isBusy} onClick={() => keeping.run()} label="Keep for good" />
      )}
      <Button isBusy={rating.isBusy} onClick={() => rating.run('POSITIVE')} label="Helpful" />
      <Button isBusy={rating.isBusy} onClick={() => rating.run('NEGATIVE')} label="Not helpful" />
      <Ask
        label="Delete"
        question={`${told} ${memories.length === 1 ? 'is' : 'are'} deleted for good, with the history.`}
        act={() => all(({ id }) => call('DELETE', `/v1/memories/${id}`))}
      />
      <Button kind="link" onClick={onClear} label="Clear" />
      <Fault error={rating.error ?? keeping.error} />
      {isNaming && (
        <Dialog title={`Categories of ${told}`} onClose={() => setNaming(false)}>
          <Form send={name} action="Change the categories" onCancel={() => setNaming(false)}>
            <Field label="Add" name="add" list="known-categories" dir="auto" hint="Put commas between several." />
            <Field label="Take away" name="remove" list="known-categories" dir="auto" />
          </Form>
        </Dialog>
      )}
    </fieldset>
  )
}

const AT_ONCE = 4

/** Does it with each, a few at a time, and says of how many it failed. */
async function each(memories: readonly Memory[], work: (memory: Memory) => Promise<unknown>): Promise<void> {
  const faults: Error[] = []
  const waiting = [...memories]
  const next = async (): Promise<void> => {
    for (let memory = waiting.shift(); memory; memory = waiting.shift())
      await work(memory).catch((error: Error) => faults.push(error))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  const [first] = faults
  if (first) throw new Error(`It failed for ${faults.length} of ${memories.length}: ${first.message}`)
}
