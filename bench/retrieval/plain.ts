/**
 * Plain methods on the folders that bench/retrieval/run.ts measures: `bun bench/retrieval/plain.ts --data FOLDER [--data FOLDER …]`.
 */
import { parseArgs } from 'node:util'
import { closeAll } from '../../test/support/closing.ts'
import { readConversations } from './corpus.ts'
import { askPlain } from './plain-methods.ts'
import { COLUMNS, figures, row } from './report.ts'
import { openVectors } from './vectors.ts'

const { values: options } = parseArgs({ options: { data: { type: 'string', multiple: true } } })
if (!options.data) throw new Error('--data FOLDER is required')
const embedder = await openVectors()
for (const folder of options.data) {
  const methods = await askPlain(await readConversations(folder), embedder)
  console.log(`\n${row(folder, 'n', COLUMNS)}`)
  for (const [method, asked] of methods) {
    console.log(
      row(
        method,
        String(asked.length),
        figures(asked).map(figure => figure.toFixed(4)),
      ),
    )
  }
}
await closeAll()
