import {
  ENTITY_TYPES,
  type EntityType,
  type ExtractedEntity,
  type ExtractedRelation,
  type ExtractedStatement,
  type Extraction,
  type MemoryToExtract,
  RELATION_TYPES,
  STATEMENT_CATEGORIES,
} from '../../contract.ts'
import { firstPersonIn } from '../first-person.ts'
import { type MemoryAnswer, USER } from './answer.ts'
import { inflected } from './inflected.ts'
import { quoted } from './quoted.ts'

const ENTITIES_MAX = 300
const RELATIONS_MAX = 300
const STATEMENTS_MAX = 300
const NAME_MAX = 200

/** What of a model's answer the text bears out. */
export function readAnswer(memory: MemoryToExtract, answer: MemoryAnswer, extractedBy: string): Extraction {
  const names = new Names(memory, answer.user_name)
  for (const entity of answer.entities.slice(0, ENTITIES_MAX)) names.add(entity)
  const relations = answer.relations.slice(0, RELATIONS_MAX).flatMap(relation => {
    const read = readRelation(memory.text, relation, names)
    return read ? [read] : []
  })
  const statements = readStatements(memory.text, answer.statements)
  return { memoryId: memory.id, extractedBy, entities: names.entities, relations, statements }
}

/** The entities of one memory, and which of them each name means. */
class Names {
  readonly entities: ExtractedEntity[] = []
  readonly #memory: MemoryToExtract
  readonly #userName: string | undefined
  readonly #index = new Map<string, number>()
  #user: number | undefined

  constructor(memory: MemoryToExtract, userName: string | null) {
    this.#memory = memory
    this.#userName = userName !== null && quoted(memory.text, userName) ? userName : undefined
    if (this.#userName !== undefined) this.#userIndex()
  }

  add({ name, type, aliases, confidence }: MemoryAnswer['entities'][number]): void {
    const known: EntityType | undefined = ENTITY_TYPES.find(one => one === type)
    const exact = name.length <= NAME_MAX ? quoted(this.#memory.text, name) : undefined
    const span = exact ?? (name.length <= NAME_MAX ? inflected(this.#memory.text, name) : undefined)
    if (!span || !known || this.#index.has(plain(name))) return
    // "Ada lives in Lisbon" in a memory of the user "ada".
    const isUser = known === 'PERSON' && plain(name) === plain(this.#memory.userId) && this.#user === undefined
    const form = this.#memory.text.slice(span.start, span.end)
    const others = [...new Set([...aliases, form])].filter(alias => alias !== name && quoted(this.#memory.text, alias))
    const ids = isUser && name !== this.#memory.userId ? [this.#memory.userId] : []
    const index =
      this.entities.push({
        name,
        type: known,
        aliases: [...others, ...ids],
        span,
        confidence: share(confidence),
        isUser,
      }) - 1
    if (isUser) this.#user = index
    for (const each of [name, ...others]) if (!this.#index.has(plain(each))) this.#index.set(plain(each), index)
  }

  indexOf(name: string): number | undefined {
    return name === USER ? this.#userIndex() : this.#index.get(plain(name))
  }

  #userIndex(): number {
    if (this.#user !== undefined) return this.#user
    const { text, userId } = this.#memory
    const name = this.#userName ?? userId
    const span = (this.#userName === undefined ? undefined : quoted(text, this.#userName)) ?? firstPersonIn(text)
    const aliases = name === userId ? [] : [userId]
    this.#user = this.entities.push({ name, type: 'PERSON', aliases, span, confidence: 0.9, isUser: true }) - 1
    this.#index.set(plain(name), this.#user)
    return this.#user
  }
}

function readRelation(
  text: string,
  { type, quote, closes, confidence, ...rest }: MemoryAnswer['relations'][number],
  names: Names,
): ExtractedRelation | undefined {
  const known = RELATION_TYPES.find(one => one === type)
  const span = quoted(text, quote.trim())
  if (!known || !span || (rest.source !== USER && names.indexOf(rest.source) === undefined)) return undefined
  const target = names.indexOf(rest.target)
  const source = names.indexOf(rest.source)
  if (source === undefined || target === undefined || source === target) return undefined
  const [from, to] = [isoDate(rest.valid_from), isoDate(rest.valid_to)]
  // A time that ends before it begins says nothing.
  const [validFrom, validTo] = from !== null && to !== null && from > to ? [null, null] : [from, to]
  return { type: known, source, target, span, closes, confidence: share(confidence), validFrom, validTo }
}

function readStatements(text: string, answered: MemoryAnswer['statements']): ExtractedStatement[] {
  const statements = new Map<number, ExtractedStatement>()
  for (const { quote, category, confidence } of answered.slice(0, STATEMENTS_MAX)) {
    const known = STATEMENT_CATEGORIES.find(one => one === category)
    const words = quote.trim()
    const span = quoted(text, words)
    if (!known || !span || statements.has(span.start)) continue
    statements.set(span.start, { text: words, category: known, span, confidence: share(confidence) })
  }
  return [...statements.values()].sort((a, b) => a.span.start - b.span.start)
}

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

function share(confidence: number): number {
  return Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0.5
}

function isoDate(date: string | null): string | null {
  const isDate = date !== null && /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?$/.test(date)
  if (!isDate || Number.isNaN(Date.parse(date))) return null
  // Some engines take the 31st of February for a day of March.
  return new Date(date).toISOString().startsWith(date) ? date : null
}
