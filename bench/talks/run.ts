/**
 * Measures what is stored of conversations, and as whose: statements of the user and what the assistant recommends, decides, promises, finds out or does,
 * but no request, small talk or output of a tool. Each conversation is a dry run of a user of its own. No language model.
 *
 *   bun bench/talks/run.ts [MESSAGES.json] [native|embedded] [--faults]
 *
 * `user` and `assistant` are words of which each stands in a memory of what that one said; a memory without any of them, or of `may`, is one too many.
 */
import { readFileSync } from 'node:fs'
import { report } from '../support/measure.ts'
import { endBench, startBenchService } from '../support/service.ts'

interface Talk {
  readonly id: string
  readonly kind: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly user: readonly string[]
  readonly assistant: readonly string[]
  readonly may?: readonly string[]
}
interface Rehearsal {
  readonly memories: readonly { readonly memory: string; readonly metadata: { readonly said_by?: string } }[]
}

const [file = new URL('./messages.json', import.meta.url).pathname, kind] = process.argv
  .slice(2)
  .filter(word => !word.startsWith('--'))
const talks: readonly Talk[] = JSON.parse(readFileSync(file, 'utf8'))
const { call } = await startBenchService(kind === 'embedded' ? 'embedded' : 'native')
const outcomes = []
for (const talk of talks) outcomes.push(outcomeOf(talk, await rehearsed(talk)))

for (const role of ['user', 'assistant'] as const) {
  const stored = outcomes.flatMap(one => one[role].stored)
  const expected = outcomes.flatMap(one => one[role].expected)
  share(
    `${role}: precision`,
    stored.filter(({ isRight }) => isRight),
    stored,
  )
  share(
    `${role}: recall`,
    expected.filter(({ isFound }) => isFound),
    expected,
  )
}
for (const [name, group] of Map.groupBy(outcomes, ({ talk }) => talk.kind)) {
  share(
    `${name}: stored as expected`,
    group.filter(({ faults }) => faults.length === 0),
    group,
  )
}
if (process.argv.includes('--faults'))
  for (const { talk, faults } of outcomes) for (const fault of faults) console.log(`${talk.id} ${talk.kind}: ${fault}`)
await endBench()

function share(name: string, part: readonly unknown[], whole: readonly unknown[]): void {
  report(`${name} (${part.length} of ${whole.length})`, (100 * part.length) / Math.max(1, whole.length), '%')
}

async function rehearsed({ id, messages }: Talk): Promise<Rehearsal['memories']> {
  const body = { user_id: id, messages }
  return ((await call('POST', '/v1/memories/conversations?dry_run=true', body)) as Rehearsal).memories
}

function outcomeOf(talk: Talk, memories: Rehearsal['memories']) {
  const has = (text: string, words: readonly string[]) =>
    words.some(word => text.toLowerCase().includes(word.toLowerCase()))
  const of = (role: 'user' | 'assistant') => {
    const texts = memories
      .filter(({ metadata }) => (metadata.said_by === 'assistant') === (role === 'assistant'))
      .map(({ memory }) => memory)
    const stored = texts.map(text => ({ text, isRight: has(text, [...talk[role], ...(talk.may ?? [])]) }))
    const expected = talk[role].map(word => ({ word, isFound: texts.some(text => has(text, [word])) }))
    return { stored, expected }
  }
  const [user, assistant] = [of('user'), of('assistant')]
  const faults = [user, assistant].flatMap(({ stored, expected }) => [
    ...stored.filter(({ isRight }) => !isRight).map(({ text }) => `one too many: ${text}`),
    ...expected.filter(({ isFound }) => !isFound).map(({ word }) => `missing: ${word}`),
  ])
  return { talk, user, assistant, faults }
}
