import { lexicons, wordingPattern, wordSet, writtenOut } from 'mneme/plugin'
import type { KnownStatement } from '../../graph/contract.ts'
import { normalForm, onOneLine, wordsOf } from './wording.ts'

/** A statement's aspect and its value for it: two statements of one aspect with different values cannot both hold. */
interface Aspect {
  readonly key: string
  readonly value: string
}

/**
 * Statements that a later one contradicts: it denies the same in the same words ("I eat meat", "I don't eat meat anymore"), or gives
 * another value for what somebody has one of ("My phone number is …"). What relationships tell to be over the graph has found out
 * already.
 * @param statements oldest first
 */
export function contradicted(statements: readonly KnownStatement[]): ReadonlySet<KnownStatement> {
  const over = new Set<KnownStatement>()
  const held = new Map<string, { value: string; statements: KnownStatement[] }>()
  for (const statement of statements) {
    const aspect = aspectOf(onOneLine(statement.text))
    if (!aspect) continue
    const before = held.get(aspect.key)
    if (before && agrees(before.value, aspect.value)) {
      before.statements.push(statement)
      continue
    }
    for (const one of before?.statements ?? []) over.add(one)
    held.set(aspect.key, { value: aspect.value, statements: [statement] })
  }
  return over
}

/** "Dune" and "Dune by Frank Herbert" */
function agrees(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)
}

function aspectOf(text: string): Aspect | undefined {
  const typed = wordsOf(normalForm(text))
  const words = typed.flatMap((word, n) => writtenOut(word, typed[n + 1]) ?? [word])
  return singleOf(words.join(' ')) ?? denialOf(words)
}

const SINGLE = wordingPattern(lexicons.SINGLE_VALUES).source
const VALUE = new RegExp(
  `^((?:my|the user's|user's|\\p{L}+'s) (?:new |current )?(?:${SINGLE})) (?:is|are) (?:now )?(.+)$`,
  'u',
)
const YEARS = /^((?:i am|the user is|user is)) (?:now )?(\d{1,3})(?: years old)?$/

function singleOf(words: string): Aspect | undefined {
  const [, of, value] = VALUE.exec(words) ?? YEARS.exec(words) ?? []
  if (of === undefined || value === undefined || /^not /.test(value)) return undefined
  return { key: `= ${of.replace(/^(\S+ ?\S*'s|my) (?:new|current) /, '$1 ')}`, value }
}

const BLURRING = wordSet(lexicons.DENIAL_BLURRING_WORDS)
const DENIAL_WORDS_MAX = 12

function denialOf(words: readonly string[]): Aspect | undefined {
  if (words.length < 2 || words.length > DENIAL_WORDS_MAX || words.some(word => BLURRING.has(word))) return undefined
  const plain = words
    .join(' ')
    .replace(/ (?:anymore|any ?(?:more|longer)|now)$/, '')
    .replace(/ no longer /, ' not ')
  const said = plain.replace(/ (?:do |does )?(?:not|never) /, ' ')
  if (/ (?:not|never|no) /.test(` ${said} `)) return undefined
  return { key: `? ${said}`, value: said === plain ? 'so' : 'not' }
}
