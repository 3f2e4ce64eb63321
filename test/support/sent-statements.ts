import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { REFUSALS, type Refusal, refusalsOf } from '../architecture/citus-rules.ts'
import { isTest } from '../architecture/source.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The texts of the statements that this process has sent, each with `path:line` of the code that made it: as many as the code has. */
const sent = new Map<string, string | undefined>()

/** Notes every statement that the driver sends, but for those of tests, which may be what they like. */
export function noteSentStatements(): void {
  // The driver gives a query its text at the moment in which it is sent, and knows where it was made.
  const query: object = Object.getPrototypeOf(postgres()`select`)
  Object.defineProperty(query, 'string', {
    configurable: true,
    set(this: object, text: string) {
      Object.defineProperty(this, 'string', { value: text, writable: true, configurable: true })
      const place = placeOf(String(Reflect.get(this, 'origin')))
      if (place !== OF_TESTS && !sent.has(text)) sent.set(text, place)
    },
  })
}

const OF_TESTS = 'tests'

/** Finds where a query was made; undefined where nothing tells, as of one that is all that a callback returns. */
function placeOf(origin: string): string | undefined {
  // Texts that are given to `unsafe` have no origin; they are those of migrations.
  if (origin === '') return OF_TESTS
  const [, path = '', line] = /([^\s()]+):(\d+):\d+\)?$/m.exec(origin.split('\n').slice(4, 5).join('')) ?? []
  const own = path.replace('file://', '').replace(ROOT, '')
  if (own.startsWith('native') || own.startsWith('core/db/')) return undefined
  return /^(core|plugins)\//.test(own) && !isTest(own) ? `${own}:${line}` : OF_TESTS
}

/** @throws Error that names the statements which would fail on Citus */
export async function checkSentStatements(): Promise<void> {
  const found = new Map<Refusal, Set<string>>()
  for (const [text, known] of sent) {
    for (const refusal of await refusalsOf(text)) {
      const place = known ?? (await searchSource(text))
      if (place) found.set(refusal, (found.get(refusal) ?? new Set()).add(place))
    }
  }
  sent.clear()
  const faults = [...found].map(([refusal, places]) => `${[...places].join(', ')} ${REFUSALS[refusal]}`)
  if (faults.length > 0) throw new Error(`Citus would refuse statements (docs/scaling.md):\n${faults.join('\n')}`)
}

/** Finds the product's template that a text begins with; undefined for a test's. */
async function searchSource(text: string): Promise<string | undefined> {
  const { sqlUnder } = await import('../architecture/sql.ts')
  const templates = ['core/', 'plugins/'].flatMap(sqlUnder).filter(({ place }) => !place.endsWith('.sql'))
  return templates.find(template => text.startsWith(template.text.split(' $0 ')[0] ?? '') && isLong(template.text))
    ?.place
}

/** Tells a statement from a fragment that many may begin with. */
function isLong(template: string): boolean {
  return (template.split(' $0 ')[0] ?? '').trim().length > 20
}
