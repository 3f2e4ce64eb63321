import { beforeAll, describe } from 'bun:test'
import type { EngineWorld } from './corpus.test-support.ts'
import { examinedConformance } from './examined.conformance.ts'
import { featuresConformance } from './features.conformance.ts'
import { amendmentConformance, filtersConformance } from './filters.conformance.ts'
import { meaningConformance } from './meaning.conformance.ts'
import { pagingConformance } from './paging.conformance.ts'
import { passagesConformance } from './passages.conformance.ts'
import { wordsConformance } from './words.conformance.ts'

/** The requirements for every search engine, as tests. `open` provides an engine on a database with all migrations applied. */
export function engineConformance(name: string, open: () => Promise<EngineWorld>): void {
  describe(`${name} as a search engine`, () => {
    let world: EngineWorld
    beforeAll(async () => {
      world = await open()
    })
    wordsConformance(() => world)
    meaningConformance(() => world)
    passagesConformance(() => world)
    filtersConformance(() => world)
    amendmentConformance(() => world)
    featuresConformance(() => world)
    examinedConformance(() => world)
    pagingConformance(() => world)
  })
}
