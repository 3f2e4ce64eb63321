import { beforeAll, describe } from 'bun:test'
import type { EngineWorld } from './corpus.ts'
import { featuresConformance } from './features.ts'
import { filtersConformance } from './filters.ts'
import { meaningConformance } from './meaning.ts'
import { pagingConformance } from './paging.ts'
import { wordsConformance } from './words.ts'

/** What every search engine must do, as tests. `open` gives one on a database with all migrations applied. */
export function engineConformance(name: string, open: () => Promise<EngineWorld>): void {
  describe(`${name} as a search engine`, () => {
    let world: EngineWorld
    beforeAll(async () => {
      world = await open()
    })
    wordsConformance(() => world)
    meaningConformance(() => world)
    filtersConformance(() => world)
    featuresConformance(() => world)
    pagingConformance(() => world)
  })
}
