import { LanguageModelOutputError } from './language-model.ts'

export interface HalvedWork<I, R> {
  /** Holds one result for each batch that succeeded, in the order of the items. */
  readonly results: readonly R[]
  /** Lists items that got no usable completion even alone, for the local way. */
  readonly failed: readonly { readonly item: I; readonly error: LanguageModelOutputError }[]
}

/**
 * Works on many items in one call, and on halves of them where the model gives no usable completion, until the item at fault is
 * alone: one bad text never costs its neighbours, and a completion that is too long for its tokens becomes two shorter ones.
 * At most `2 × items − 1` calls.
 * @throws what `work` throws besides LanguageModelOutputError
 */
export async function inHalves<I, R>(
  items: readonly I[],
  work: (items: readonly I[]) => Promise<R>,
): Promise<HalvedWork<I, R>> {
  const [first] = items
  if (first === undefined) return { results: [], failed: [] }
  try {
    return { results: [await work(items)], failed: [] }
  } catch (error) {
    if (!(error instanceof LanguageModelOutputError)) throw error
    if (items.length === 1) return { results: [], failed: [{ item: first, error }] }
    const middle = Math.ceil(items.length / 2)
    const left = await inHalves(items.slice(0, middle), work)
    const right = await inHalves(items.slice(middle), work)
    return { results: [...left.results, ...right.results], failed: [...left.failed, ...right.failed] }
  }
}
