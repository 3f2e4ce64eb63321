import { afterAll, setDefaultTimeout } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { plugin } from 'bun'
import fc from 'fast-check'
import { closeAll } from './closing.ts'
import { checkSentStatements, noteSentStatements } from './sent-statements.ts'

// Booting a service inside a first test or hook takes seconds; a busy machine needs many times what a quick one does.
setDefaultTimeout(180_000)

// One change gives one result: the same cases are generated each time, others for another seed.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_901) })

noteSentStatements()
afterAll(async () => {
  await closeAll()
  await checkSentStatements()
})

// Bun has no hook for the end of each file, so every file is given one. The memory of its services would otherwise be collected late.
if (process.env.MNEME_TEST_CLOSING === 'file') {
  const closing = `import { afterAll as atItsEnd } from 'bun:test'
    import { closeAll as closeIts } from ${JSON.stringify(import.meta.resolve('./closing.ts'))}
    atItsEnd(closeIts)
    atItsEnd(() => void Bun.gc(true))`
  plugin({
    name: 'closing',
    setup(build) {
      build.onLoad({ filter: /\.test\.ts$/ }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')}\n${closing}`,
        loader: 'ts',
      }))
    },
  })
}
