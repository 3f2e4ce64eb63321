import { call } from '../../api.ts'
import { reloadShown } from '../../data.ts'
import { Act, Ask, Field, listOf, type Values } from '../../forms.tsx'
import { Button } from '../../parts.tsx'
import { counted, type Memory } from './memory.ts'

interface BulkProps {
  readonly memories: readonly Memory[]
  readonly queryHash: string | undefined
  readonly onClear: () => void
}

/** What can be done with the chosen memories at once. */
export function Bulk({ memories, queryHash, onClear }: BulkProps) {
  const all = async (work: (memory: Memory) => Promise<unknown>) => {
    try {
      await each(memories, work)
      onClear()
    } finally {
      await reloadShown()
    }
  }
  const rate = (signal: string) =>
    all(({ id }) => call('POST', `/v1/memories/${id}/feedback`, { body: { signal, query_hash: queryHash } }))
  const keep = () => all(({ id }) => call('POST', `/v1/memories/${id}/promote`))
  const name = ({ add, remove }: Values) => {
    const removed = new Set(listOf(remove))
    return all(({ id, memory, categories }) => {
      const named = [...new Set([...categories, ...listOf(add)])].filter(category => !removed.has(category))
      return call('PUT', `/v1/memories/${id}`, { body: { memory, categories: named } })
    })
  }
  const told = counted(memories.length, 'memory', 'memories')
  return (
    <fieldset class="bulk" aria-label="What is chosen">
      <b>{memories.length} chosen</b>
      <Ask icon="tag" label="Categories" title={`Categories of ${told}`} action="Change the categories" act={name}>
        <Field label="Add" name="add" list="known-categories" dir="auto" hint="Put commas between several." />
        <Field label="Take away" name="remove" list="known-categories" dir="auto" />
      </Ask>
      {memories.every(({ layer }) => layer === 'TASK') && <Act label="Keep for good" work={keep} />}
      <Act label="Helpful" work={() => rate('POSITIVE')} />
      <Act label="Not helpful" work={() => rate('NEGATIVE')} />
      <Ask
        label="Delete"
        question={`${told} ${memories.length === 1 ? 'is' : 'are'} deleted for good, with the history.`}
        act={() => all(({ id }) => call('DELETE', `/v1/memories/${id}`))}
      />
      <Button kind="link" onClick={onClear} label="Clear" />
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
