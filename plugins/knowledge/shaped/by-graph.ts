import { type Embedder, EmbedderInputError, EmbedderUnavailableError, lexicons } from 'mneme/plugin'
import { type Filling, isSettled, type KnownOfUser, type KnownValue } from './known.ts'
import { asType, fits, type Leaf } from './schema.ts'

/**
 * A property is taken for what a relationship tells from this likeness on. Of 33 names and descriptions of properties that 20 kinds of relationship answer it
 * finds 28, and of 28 others (age, diet, budget, job title) it takes none for one.
 */
const LIKENESS_MIN = 0.65

const PROPERTIES: Readonly<Record<string, readonly string[]>> = lexicons.PROFILE_PROPERTIES

/** Fills properties with what graph and knowledge know; those that are like nothing that is known stay empty. */
export async function fillByGraph(
  embedder: Pick<Embedder, 'embed'>,
  leaves: readonly Leaf[],
  { values }: KnownOfUser,
  signal: AbortSignal,
): Promise<Filling[]> {
  const ownSlots = [...new Set(values.filter(({ isOwnWords }) => isOwnWords).map(({ slot }) => slot))]
  const labels = [
    ...Object.entries(PROPERTIES).flatMap(([slot, texts]) => texts.map(text => ({ slot, text }))),
    ...ownSlots.map(slot => ({ slot, text: slot })),
  ]
  const texts = [...leaves.map(textOf), ...labels.map(({ text }) => text)]
  const vectors = await embedded(embedder, texts, signal)
  if (!vectors) return []
  return leaves.flatMap((leaf, n) => {
    const likenesses = labels.map(({ slot }, at) => ({
      slot,
      likeness: cosine(vectors[n], vectors[leaves.length + at]),
    }))
    const [best] = likenesses.toSorted((a, b) => b.likeness - a.likeness)
    if (!best || best.likeness < LIKENESS_MIN) return []
    return filled(
      leaf,
      values.filter(({ slot }) => slot === best.slot),
    )
  })
}

function filled({ path, isList, itemsMax, ...leaf }: Leaf, known: readonly KnownValue[]): Filling[] {
  const usable = known.flatMap(one => {
    const value = asType(leaf.type, one.value)
    return fits(leaf, value) ? [{ ...one, value }] : []
  })
  if (isList) {
    const distinct = usable.filter(({ value }, n) => usable.findIndex(one => one.value === value) === n)
    return distinct.slice(0, itemsMax).map(({ value, memoryId, saidAt }) => ({ path, value, memoryId, saidAt }))
  }
  const [first] = usable
  // Nothing is told of which the newest evidence is not understood.
  return first && known[0] && isSettled(known[0])
    ? [{ path, value: first.value, memoryId: first.memoryId, saidAt: first.saidAt }]
    : []
}

/** "homeTown" within "address" is "address home Town"; a description says more. */
function textOf({ path, description }: Leaf): string {
  const name = path
    .join(' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[_$-]+/g, ' ')
    .toLowerCase()
    .trim()
  return description === '' ? name : `${name}: ${description}`
}

async function embedded(embedder: Pick<Embedder, 'embed'>, texts: readonly string[], signal: AbortSignal) {
  try {
    const made = await embedder.embed(texts, { priority: 'query', signal })
    return made.map(({ vector }) => vector)
  } catch (error) {
    if (error instanceof EmbedderUnavailableError || error instanceof EmbedderInputError) return undefined
    throw error
  }
}

function cosine(one: Float32Array | null | undefined, other: Float32Array | null | undefined): number {
  if (!one || !other) return 0
  return one.reduce((sum, value, n) => sum + value * (other[n] ?? 0), 0)
}
