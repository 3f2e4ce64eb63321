import { lexicons, unicodeForm, wordSet } from 'mneme/plugin'
import { userIn } from 'text-reader/facts'
import { ENTITY_TYPES, type EntityType, type ExtractedEntity, type MemoryToExtract, type Span } from '../../contract.ts'
import { type MemoryAnswer, USER } from './answer.ts'
import type { QuotedText } from './quoted.ts'
import type { TextLanguage } from './text-language.ts'

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[-&.](?=[\p{L}\p{N}]))*/gu

/** Endings of a genitive: "Annas", "Bergs". */
const OWNED = /^(?:s|es)$/

/** Endings of adjectives in names: "bei der Deutschen Bahn", "dem Roten Kreuz". */
const DECLINED = /^(?:e|en|em|er|es|n|r|s)?$/

const STEM_MIN = 3

const NAME_MAX = 200
const ALIASES_MAX = 20

/** In small letters these are words: "us" names no country. */
const WORDS = wordSet(lexicons.ABBREVIATION_LIKE_WORDS)

/** A name with the place where the text has it. */
interface Named {
  readonly name: string
  /** The text at that place. */
  readonly form: string
  readonly span: Span
}

/** The entities of one memory, and which of them each name means. */
export class Names {
  readonly entities: ExtractedEntity[] = []
  readonly #memory: MemoryToExtract
  readonly #text: QuotedText
  readonly #language: TextLanguage
  readonly #userName: Named | undefined
  readonly #index = new Map<string, number>()
  #user: number | undefined

  constructor(memory: MemoryToExtract, text: QuotedText, language: TextLanguage, userName: string | null) {
    this.#memory = memory
    this.#text = text
    this.#language = language
    const named = userName === null ? undefined : this.#find(userName)
    this.#userName = named && this.#isSpoken(named.span) ? named : undefined
    if (this.#userName) this.#userIndex()
  }

  add({ name: given, type, aliases, confidence }: MemoryAnswer['entities'][number]): void {
    const known: EntityType | undefined = ENTITY_TYPES.find(one => one === type)
    const named = this.#find(given)
    // The user is no further entity of that name.
    if (isUsers(given) || !named || !known || this.#index.has(plain(given)) || this.#index.has(plain(named.name)))
      return
    const { name, form, span } = named
    // "Ada lives in Lisbon" in a memory of the user "ada".
    const isUser = known === 'PERSON' && plain(name) === plain(this.#memory.userId) && this.#user === undefined
    const others = [...new Set([form, ...aliases.slice(0, ALIASES_MAX).flatMap(alias => this.#formOf(alias))])]
    const ids = isUser && name !== this.#memory.userId ? [this.#memory.userId] : []
    const own = others.filter(alias => alias !== name)
    const index =
      this.entities.push({
        name,
        type: known,
        aliases: [...new Set([...own, ...ids])],
        span,
        confidence: share(confidence),
        isUser,
      }) - 1
    if (isUser) this.#user = index
    for (const each of [given, name, ...own]) if (!this.#index.has(plain(each))) this.#index.set(plain(each), index)
  }

  indexOf(name: string): number | undefined {
    return isUsers(name) ? this.#userIndex() : this.#index.get(plain(name))
  }

  /** Tells whether a name means anyone, without making the user an entity for it. */
  isKnown(name: string): boolean {
    return isUsers(name) || this.#index.has(plain(name))
  }

  /** Tells whether a name may mean that one at a place: a document is about the user only in sentences of whoever speaks. */
  mayBeMeant(name: string, place: Span): boolean {
    return !isUsers(name) || this.#isSpoken(place)
  }

  /** Everywhere the text names whoever a name means. */
  placesNamed(name: string): Span[] {
    const index = isUsers(name) ? this.#user : this.#index.get(plain(name))
    return index === undefined ? [] : this.placesOf(index)
  }

  /** Everywhere the text names an entity. */
  placesOf(index: number): Span[] {
    const entity = this.entities[index]
    if (!entity) return []
    return [entity.name, ...entity.aliases].flatMap(name => this.#text.places(name))
  }

  #userIndex(): number {
    if (this.#user !== undefined) return this.#user
    const { text, userId } = this.#memory
    const name = this.#userName?.name ?? userId
    const span = this.#userName?.span ?? userIn(text)
    const aliases = new Set([this.#userName?.form ?? name, userId].filter(alias => alias !== name))
    this.#user =
      this.entities.push({ name, type: 'PERSON', aliases: [...aliases], span, confidence: 0.9, isUser: true }) - 1
    this.#index.set(plain(name), this.#user)
    return this.#user
  }

  #isSpoken(place: Span): boolean {
    return !this.#memory.isDocument || this.#language.mayBeOfSpeaker(place)
  }

  #find(given: string): Named | undefined {
    const name = given.trim()
    if (name.length > NAME_MAX) return undefined
    const [exact] = this.#text.places(name)
    if (exact) return { name: this.#formAt(exact), form: this.#formAt(exact), span: exact }
    const inWords = () => this.#text.placesInWords(name, this.#language.declines)[0]
    const span = inflected(this.#memory.text, name) ?? this.#inAnyCase(name) ?? inWords()
    return span && { name, form: this.#formAt(span), span }
  }

  #inAnyCase(name: string): Span | undefined {
    return this.#text.placesInAnyCase(name).find(span => !WORDS.has(this.#formAt(span)))
  }

  #formOf(alias: string): string[] {
    if (alias.length > NAME_MAX) return []
    const [exact] = this.#text.places(alias)
    // A further name within a word may be of somebody else: "Alex" in "Alexander".
    const span = exact ?? this.#inAnyCase(alias)
    return span ? [this.#formAt(span)] : []
  }

  #formAt({ start, end }: Span): string {
    return this.#memory.text.slice(start, end).replace(/\s+/g, ' ')
  }
}

/** Models spell the word for the user in their own way. */
function isUsers(name: string): boolean {
  return plain(name) === plain(USER)
}

/** Normalizes names that differ only in typography. */
function plain(name: string): string {
  return unicodeForm(name.trim(), 'NFKC').toLowerCase()
}

export function share(confidence: number): number {
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0.5
}

/**
 * Finds a name in an inflected form, as in German: "Anna" in "Annas Firma", "Deutsche Bahn" in "der Deutschen Bahn".
 * A single word may only take a genitive's ending; of several one must stand there as it is. Undefined where there is none.
 */
export function inflected(text: string, name: string): Span | undefined {
  const wanted = name.match(WORD) ?? []
  if (wanted.length === 0 || wanted.join(' ') !== name) return undefined
  const words = [...text.matchAll(WORD)]
  for (let at = 0; at + wanted.length <= words.length; at++) {
    const found = words.slice(at, at + wanted.length)
    const forms = found.map(([form]) => form)
    const start = found[0]?.index ?? 0
    const end = (found.at(-1)?.index ?? 0) + (forms.at(-1)?.length ?? 0)
    if (/^\S+(?: \S+)*$/.test(text.slice(start, end)) && isForm(wanted, forms)) return { start, end }
  }
  return undefined
}

function isForm(wanted: readonly string[], found: readonly string[]): boolean {
  const last = wanted.length - 1
  const fits = wanted.every((word, i) => {
    const form = found[i] ?? ''
    return word === form || isOwned(word, form, i === last) || (last > 0 && i < last && isDeclined(word, form))
  })
  return fits && (last === 0 || wanted.some((word, i) => word === found[i] && word.length >= STEM_MIN))
}

function isOwned(word: string, form: string, isLast: boolean): boolean {
  return isLast && word.length >= STEM_MIN && form.startsWith(word) && OWNED.test(form.slice(word.length))
}

function isDeclined(word: string, form: string): boolean {
  let stem = 0
  while (stem < word.length && word[stem] === form[stem]) stem++
  return stem >= STEM_MIN && DECLINED.test(word.slice(stem)) && DECLINED.test(form.slice(stem))
}
