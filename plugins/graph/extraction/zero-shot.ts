import type { StatementCategory } from '../contract.ts'
import type { Categorize } from './local/statements.ts'

/**
 * Vectors of length 1, one for each text, in order; null where the model knows nothing of a text. `workspaceId` is whose texts they
 * are: undefined for the examples, which are nobody's.
 */
export type Embed = (
  texts: readonly string[],
  about: { readonly workspaceId: string | undefined; readonly signal: AbortSignal },
) => Promise<readonly (Float32Array | null)[]>

/** Sentences as they would stand under each category: a statement is nearer to such a sentence than to a category's name. */
const EXAMPLES: Readonly<Record<Exclude<StatementCategory, 'general'>, readonly string[]>> = {
  tech_stack: [
    'The database runs on Postgres.',
    'We write the backend in TypeScript.',
    'The build and the tests run on the server.',
  ],
  preferences: ['I like spicy food and quiet places.', 'I prefer the window seat.', 'My favourite colour is green.'],
  work_context: [
    'The project deadline is on Friday.',
    'I work as an engineer at a company.',
    'The client wants a weekly report.',
  ],
  communication_style: ['Please keep answers short.', 'Answer me in German.', 'Do not use emojis in messages.'],
  personal: ['I am allergic to peanuts.', 'My birthday is in July.', 'I live in a small flat in the city.'],
  relationships: ['My sister and her husband have a baby.', 'She is my best friend.', 'We are getting married.'],
  goals: ['I want to run a marathon next year.', 'My goal is to learn Italian.', 'I am saving up for a house.'],
}

/** Below it a statement is not like any of the examples. */
const LIKENESS_MIN = 0.25
const EXAMPLES_TIMEOUT_MS = 60_000

interface Example {
  readonly category: StatementCategory
  readonly vector: Float32Array
}

/**
 * Files sentences by how near their vectors are to examples of each category; far from all of them they are `general`. A vector that
 * comes with a sentence is taken for its own.
 */
export function createZeroShot(embed: Embed): Categorize {
  let examples: Promise<readonly Example[]> | undefined
  return async (sentences, { workspaceId, signal }) => {
    examples ??= embedExamples(embed)
    // What failed once may succeed with the next sentences.
    examples.catch(() => {
      examples = undefined
    })
    const known = await examples
    const length = known[0]?.vector.length
    const without = sentences.filter(({ vector }) => vector?.length !== length)
    const texts = without.map(({ text }) => text)
    const embedded = texts.length > 0 ? await embed(texts, { workspaceId, signal }) : []
    const vectors = new Map(without.map((sentence, i) => [sentence, embedded[i]]))
    return sentences.map(sentence => nearest(vectors.has(sentence) ? vectors.get(sentence) : sentence.vector, known))
  }
}

/** For every text to come, so nobody's signal ends it. */
async function embedExamples(embed: Embed): Promise<readonly Example[]> {
  const flat = categories().flatMap(category => EXAMPLES[category].map(text => ({ category, text })))
  const signal = AbortSignal.timeout(EXAMPLES_TIMEOUT_MS)
  const vectors = await embed(
    flat.map(({ text }) => text),
    { workspaceId: undefined, signal },
  )
  return flat.flatMap(({ category }, i) => {
    const vector = vectors[i]
    return vector ? [{ category, vector }] : []
  })
}

function categories(): (keyof typeof EXAMPLES)[] {
  return ['tech_stack', 'preferences', 'work_context', 'communication_style', 'personal', 'relationships', 'goals']
}

function nearest(
  vector: Float32Array | null | undefined,
  examples: readonly Example[],
): { category: StatementCategory; confidence: number } {
  let best: { category: StatementCategory; confidence: number } = { category: 'general', confidence: LIKENESS_MIN }
  if (!vector) return best
  for (const example of examples) {
    const confidence = dot(vector, example.vector)
    if (confidence > best.confidence) best = { category: example.category, confidence: Math.min(1, confidence) }
  }
  return best
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
