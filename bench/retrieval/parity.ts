/**
 * Compares what Typesense and Postgres find in the same memories, by asking both every question of a folder in every mode: how often the first
 * ten are the same in the same order, and recall@10 of each. A question has few answers in keyword mode, which wants all of its words.
 *
 *   bun bench/retrieval/parity.ts --data bench/data/notes [--data FOLDER …] [--native URL] [--typesense fake|URL]
 *
 * The key of a real server stands in TYPESENSE_API_KEY.
 */
import { parseArgs } from 'node:util'
import { mean } from '../../plugins/search/evaluation/evaluate.ts'
import { closeAll } from '../../test/support/closing.ts'
import { askAll } from './ask.ts'
import { type Conversation, loadConversations, readConversations } from './corpus.ts'
import { emptyStore, openInProcess } from './in-process.ts'
import type { Asked } from './report.ts'
import { everythingSent, fallbacks, openIndex } from './typesense.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    native: { type: 'string' },
    typesense: { type: 'string', default: 'fake' },
  },
})
if (!options.data) throw new Error('--data FOLDER is required')

const MODES = ['hybrid', 'semantic', 'keyword'] as const
const SHOWN = 10
const RUN = 'parity'

type Answers = Record<(typeof MODES)[number], Asked[]>

try {
  for (const folder of options.data) await compareOn(folder)
} finally {
  await closeAll()
}
process.exit(0)

async function compareOn(folder: string): Promise<void> {
  const conversations = await readConversations(folder)
  const store = await emptyStore(options.native)
  const index = await openIndex(options.typesense)
  const indexed = await openInProcess(store, index.settings)
  await loadConversations(indexed.client, conversations, RUN)
  await everythingSent(indexed.metrics)
  const before = await fallbacks(indexed.metrics)
  const typesense = await askInModes(indexed, conversations)
  const fellBack = (await fallbacks(indexed.metrics)) - before
  await indexed.stop()
  // Now the same database alone: this marks the index as stale, so it comes last.
  const alone = await openInProcess(store)
  const postgres = await askInModes(alone, conversations)
  await alone.stop()
  console.log(`\n${folder}, ${index.description}; searches that fell back to Postgres: ${fellBack}`)
  for (const mode of MODES) report(mode, postgres[mode], typesense[mode])
  await closeAll()
}

async function askInModes(
  { client }: Awaited<ReturnType<typeof openInProcess>>,
  conversations: readonly Conversation[],
): Promise<Answers> {
  const ask = async (mode: string) => (await askAll(client, conversations, { run: RUN, mode, expand: false })).asked
  return { hybrid: await ask('hybrid'), semantic: await ask('semantic'), keyword: await ask('keyword') }
}

function report(mode: string, postgres: readonly Asked[], typesense: readonly Asked[]): void {
  const recall = (asked: readonly Asked[]) => mean(asked.map(({ measures }) => measures)).recall10
  const first = (asked: Asked | undefined) => asked?.found.slice(0, SHOWN).join()
  const same = postgres.filter((asked, n) => first(asked) === first(typesense[n])).length
  const figures = `recall@10 ${recall(postgres).toFixed(4)} and ${recall(typesense).toFixed(4)}`
  console.log(`${mode.padEnd(9)} same first ten ${same} of ${postgres.length}, ${figures} (Postgres and Typesense)`)
}
