import { fold } from './fold.ts'
import type { Gazetteers } from './gazetteers.ts'
import type { Mention } from './mention.ts'
import { NEVER_NAMES } from './name-words.ts'
import type { Unit } from './units.ts'
import { COMMON_WORDS } from './word-lists.ts'

/** Maps informal English spellings to those that the patterns know; the text itself is not changed. */
const PLAIN: ReadonlyMap<string, readonly [lower: string, pos: string]> = new Map(
  Object.entries({
    dont: ["don't", 'AUX'],
    doesnt: ["doesn't", 'AUX'],
    didnt: ["didn't", 'AUX'],
    isnt: ["isn't", 'AUX'],
    arent: ["aren't", 'AUX'],
    wasnt: ["wasn't", 'AUX'],
    wont: ["won't", 'AUX'],
    cant: ["can't", 'AUX'],
    havent: ["haven't", 'AUX'],
    hasnt: ["hasn't", 'AUX'],
    wanna: ['want', 'VERB'],
    gonna: ['will', 'AUX'],
    gf: ['girlfriend', 'NOUN'],
    bf: ['boyfriend', 'NOUN'],
    bff: ['friend', 'NOUN'],
    hubby: ['husband', 'NOUN'],
    doc: ['doctor', 'NOUN'],
    mgr: ['manager', 'NOUN'],
    bro: ['brother', 'NOUN'],
    sis: ['sister', 'NOUN'],
    ur: ['your', 'PRON'],
  }),
)
/** Two words written as one. */
const JOINED: ReadonlyMap<string, readonly [number, string, string]> = new Map(
  Object.entries({ im: [1, 'i', "'m"], ive: [1, 'i', "'ve"], shes: [3, 'she', "'s"], hes: [2, 'he', "'s"] }),
)

/** Reads "w/", "@", "im", "dont" and the like as the words they stand for. */
export function plainUnits(units: readonly Unit[]): Unit[] {
  const plain: Unit[] = []
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]
    if (!unit) break
    const next = units[i + 1]
    const parts = JOINED.get(unit.lower)
    const word = PLAIN.get(unit.lower)
    if (unit.lower === 'w' && next?.text === '/' && next.start === unit.end) {
      const without = units[i + 2]?.lower === 'o' && units[i + 2]?.start === next.end
      const end = without ? next.end + 1 : next.end
      plain.push({ ...unit, text: without ? 'w/o' : 'w/', lower: without ? 'without' : 'with', end, pos: 'ADP' })
      i += without ? 2 : 1
    } else if (parts) {
      const [length, first, second] = parts
      const middle = unit.start + length
      plain.push({ ...unit, text: unit.text.slice(0, length), lower: first, end: middle, pos: 'PRON' })
      plain.push({ ...unit, text: unit.text.slice(length), lower: second, start: middle, pos: 'AUX' })
    } else if (/^(?:now|then|soon-to-be)-\p{Ll}/u.test(unit.lower))
      plain.push({ ...unit, lower: unit.lower.replace(/^(?:now|then|soon-to-be)-/, '') })
    else if (isCompound(unit)) plain.push(...partsOf(unit))
    else if (word) plain.push({ ...unit, lower: word[0], pos: word[1] })
    else plain.push(isApart(units, i) ? asWord(unit) : unit)
  }
  return plain
}

/** "Lisbon-based", "ex-Google" */
function isCompound({ text }: Unit): boolean {
  return /^\p{Lu}.*-based$/u.test(text) || /^[Ee]x-\p{Lu}/u.test(text)
}

function partsOf(unit: Unit): Unit[] {
  const at = unit.text.endsWith('-based') ? unit.text.length - 6 : 3
  const [first, second] = [unit.text.slice(0, at), unit.text.slice(at)]
  const middle = unit.start + at
  const isEx = at === 3
  return [
    { text: first, lower: first.toLowerCase(), start: unit.start, end: middle, pos: isEx ? 'ADJ' : 'PROPN' },
    { text: second, lower: second.toLowerCase(), start: middle, end: unit.end, pos: isEx ? 'PROPN' : 'ADJ' },
  ]
}

/** With a space on either side. */
function isApart(units: readonly Unit[], at: number): boolean {
  const [before, unit, after] = units.slice(Math.max(0, at - 1), at + 2)
  return (
    at > 0 &&
    before !== undefined &&
    unit !== undefined &&
    after !== undefined &&
    unit.start > before.end &&
    unit.end < after.start
  )
}

function asWord(unit: Unit): Unit {
  if (unit.text === '@') return { ...unit, lower: 'at', pos: 'ADP' }
  if (unit.text === '=') return { ...unit, lower: ':', pos: 'PUNCT' }
  return unit.text === '+' || unit.lower === 'n' ? { ...unit, lower: 'and', pos: 'CCONJ' } : unit
}

/** People who live in a place whose name counts without a capital. */
const POPULATION_MIN = 100_000
const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Names on the lists that are words of English too: without a capital they are the words. */
const AMBIGUOUS = set(`
  orange save ajax delta colon sig sale bam male oss perm enterprise normal union hue center nice cork split tours angers essen worms lens gent
  bury wells sandwich corona surprise independence concord page vista bar pale hull barking tea grant job max else line lone per fine peer said
  unique meta don noble trace promise dev param constant come alone alpha among idea floor dies kick valid skipped can will may mine song sunny rose
  dawn iris ivy olive pearl ruby violet daisy lily poppy heather jade amber crystal carol melody cherry candy penny sandy rusty rocky buddy guy
  pat rob sue drew chance chase hunter mason cooper baker carter tyler taylor sage reed wade cliff glen dale brook forest fox wolf
  bear bird colt drake duke earl king prince major miles rich stone west north east south young early long short little still dear gay
  cat lane lance mace pace race trip ski skip art gene dean cody rod van ray jay kay bay day hall ford park moss marsh heath ash elm
  edge word express flask rails spring vault linear phoenix helm force line progress work works school home church college today tomorrow yesterday tonight online remote
`)
const KIN =
  set(`girlfriend boyfriend wife husband partner fiancé fiancée fiance fiancee brother sister mum mom mother dad father son daughter cousin uncle aunt
  grandma grandpa friend colleague coworker boss manager neighbour neighbor roommate flatmate mate dog cat nephew niece`)
const OWNERS = set("my our his her their your 's best")
/** Verbs whose subject is a company or a product. */
export const ORGANIZATION_VERBS = set(
  `headquartered based founded acquired acquires hired hires announced launched raised released bought`,
)
export const PERSON_VERBS =
  set(`quit joined works worked lives lived moved left likes loves hates prefers uses wants married said told texted met visited studies
  studied started bought sold knows owns manages`)
/** Nouns for things with a name of their own, spelled as their maker likes. */
const CHRISTENED = set(
  'app tool library project package bot repo repository service site website cli framework script plugin blog podcast cat dog kitten puppy',
)
const OPENERS = set('and but so because that when if update : , . ; - – — ( "')
const LOCATIVE = set('in from near around')
const MOVING =
  set(`moved move moving relocated went go going gone fly flying flew flown travel travelled traveled trip drove drive back been commute
  commutes emigrated flight flights`)
const CHANGING = set('switched switching migrated migrating moved ported')
const WORKING = set(
  'work works working worked job position role engineer developer nurse manager intern interning employed designer analyst consultant',
)

/**
 * A name that is written without a capital, where the words before it make it sure: "live in lisbon", "my brother ali", "works at
 * google". Everything else without a capital is a word.
 */
export function smallName(
  units: readonly Unit[],
  at: number,
  gazetteers: Gazetteers,
): { readonly length: number; readonly mention: Mention } | undefined {
  const unit = units[at]
  const before = units[at - 1]?.lower ?? ''
  const earlier = units[at - 2]?.lower ?? ''
  if (!unit || !/^\p{L}{3,}$/u.test(unit.text)) return undefined
  const found = (type: 'PERSON' | 'PLACE' | 'ORGANIZATION' | 'THING', length = 1) => {
    const end = units[at + length - 1]?.end ?? unit.end
    const name = units.slice(at, at + length).map(({ text }) => text)
    return { length, mention: { name: name.join(' '), start: unit.start, end, type, confidence: 0.75 } }
  }
  if (LOCATIVE.has(before) || (before === 'to' && MOVING.has(earlier))) {
    const length = [3, 2, 1].find(words => isPlace(units.slice(at, at + words), words, gazetteers))
    if (length) return found('PLACE', length)
  }
  const name = fold(unit.text)
  if (AMBIGUOUS.has(unit.lower) || COMMON_WORDS.has(name) || NEVER_NAMES.has(unit.lower)) return undefined
  if (before === 'is' && earlier === 'name') return found('PERSON')
  if (/^(?:called|named)$/.test(before) && CHRISTENED.has(earlier)) return found('THING')
  const isTool =
    /^(?:use|uses|using)$/.test(before) ||
    (before === 'to' && (CHANGING.has(earlier) || CHANGING.has(units[at - 3]?.lower ?? '')))
  const isWhole = !/^(?:NOUN|PROPN|ADJ)$/.test(units[at + 1]?.pos ?? '')
  if (isTool && isWhole && (gazetteers.technologies.has(name) || gazetteers.brands.has(name))) return found('THING')
  const opens = at === 0 || OPENERS.has(before)
  const named = (KIN.has(before) && OWNERS.has(earlier)) || (opens && PERSON_VERBS.has(units[at + 1]?.lower ?? ''))
  if (named && gazetteers.firstNames.has(name)) return found('PERSON')
  const employer = ((before === 'at' || before === 'for') && WORKING.has(earlier)) || before === 'joined'
  return employer && gazetteers.brands.has(name) ? found('ORGANIZATION') : undefined
}

function isPlace(words: readonly Unit[], length: number, { places }: Gazetteers): boolean {
  if (words.length < length || words.some(({ text }) => !/^\p{L}+$/u.test(text))) return false
  const [first] = words
  if (length === 1 && first && AMBIGUOUS.has(first.lower)) return false
  return (places.get(fold(words.map(({ text }) => text).join(' '))) ?? 0) >= POPULATION_MIN
}
