import { isUnsure, typeByPlace } from './context-types.ts'
import type { SentenceFacts } from './facts.ts'
import { fold } from './gazetteers.ts'
import {
  type EntityType,
  type ExtractedEnding,
  type ExtractedEntity,
  type ExtractedRelation,
  type Span,
  SYMMETRIC_TYPES,
  type ToldText,
} from './kinds.ts'
import type { Piece } from './mentions.ts'
import { type Fact, type Mention, SURE, type Subject, type UnnamedEnding, userIn } from './parts.ts'

interface Entry {
  name: string
  type: EntityType
  aliases: Set<string>
  span: Span
  confidence: number
}

/** Said by a relation, against said by the name alone. */
const BY_RELATION = 0.8
/** Said by a relation against what the name looks like. */
const CORRECTED = 0.9
/** Said by the words around the name. */
const BY_PLACE = 0.6
const ENDINGS_MAX = 100

/** Gathers what the sentences of one text tell into entities without doubles, and relations between them. */
export class EntityBook {
  readonly #told: ToldText
  readonly #entries = new Map<string, Entry>()
  readonly #facts: Fact[] = []
  readonly #endings: UnnamedEnding[] = []
  #userName: Mention | undefined

  constructor(told: ToldText) {
    this.#told = told
  }

  nameUser(mention: Mention): void {
    this.#userName ??= mention
    this.#put(mention, 'PERSON', 0.95)
  }

  note(pieces: readonly Piece[], { typings, facts, endings }: SentenceFacts): void {
    for (const { mention, type } of typings)
      this.#put(mention, type, mention.type === type ? Math.max(BY_RELATION, mention.confidence) : CORRECTED)
    pieces.forEach(({ mention }, i) => {
      if (!mention || this.#entries.has(fold(mention.name))) return
      const placed = isUnsure(mention) ? typeByPlace(pieces, i) : undefined
      const type = placed ?? mention.type
      const confidence = placed ? BY_PLACE : mention.confidence
      if (type && confidence >= SURE) this.#put(mention, type, confidence)
    })
    this.#facts.push(...facts)
    for (const ending of endings) {
      if (ending.source !== 'user') this.#put(ending.source, 'PERSON', BY_RELATION)
      this.#endings.push(ending)
    }
  }

  close({ entitiesMax, relationsMax }: { entitiesMax: number; relationsMax: number }): {
    entities: ExtractedEntity[]
    relations: ExtractedRelation[]
    endings: ExtractedEnding[]
  } {
    const user = this.#userEntry()
    const entries = [...new Set([...(user ? [user] : []), ...this.#merged().values()])].slice(0, entitiesMax)
    const index = new Map(entries.map((entry, i) => [entry, i]))
    const relations = new Map<string, ExtractedRelation>()
    for (const fact of this.#facts) {
      if (fact.onlyEnds) continue
      const source = index.get(this.#entryOf(fact.source, user) ?? NOBODY)
      const target = index.get(this.#entryOf(fact.target, user) ?? NOBODY)
      if (source === undefined || target === undefined || source === target) continue
      const ends = SYMMETRIC_TYPES.has(fact.type) ? [source, target].sort((a, b) => a - b) : [source, target]
      const key = `${fact.type} ${ends.join(' ')}`
      const known = relations.get(key)
      if (known && (known.closes || !fact.closes)) continue
      const { type, confidence, closes, start, end, validity } = fact
      relations.set(key, {
        type,
        source,
        target,
        confidence,
        span: { start, end },
        validFrom: validity.from,
        validTo: validity.to,
        closes,
      })
    }
    const entities = entries.map(entry => ({
      ...entry,
      aliases: [...entry.aliases].filter(alias => alias !== entry.name),
      isUser: entry === user,
    }))
    return {
      entities,
      relations: [...relations.values()].slice(0, relationsMax),
      endings: this.#endingsOf(index, user),
    }
  }

  #endingsOf(index: ReadonlyMap<Entry, number>, user: Entry | undefined): ExtractedEnding[] {
    const endings = new Map<string, ExtractedEnding>()
    for (const one of [...this.#facts.filter(({ onlyEnds }) => onlyEnds), ...this.#endings]) {
      const source = index.get(this.#entryOf(one.source, user) ?? NOBODY)
      const target = one.target ? index.get(this.#entryOf(one.target, user) ?? NOBODY) : null
      if (source === undefined || target === undefined || source === target || endings.size >= ENDINGS_MAX) continue
      const { type, confidence, start, end, validity } = one
      endings.set(`${type} ${source} ${target}`, {
        type,
        source,
        target,
        confidence,
        span: { start, end },
        validTo: validity.to,
      })
    }
    return [...endings.values()]
  }

  #put(mention: Mention, type: EntityType, confidence: number): void {
    const key = fold(mention.name)
    const known = this.#entries.get(key)
    if (!known) {
      const { name, start, end } = mention
      this.#entries.set(key, { name, type, aliases: new Set(), span: { start, end }, confidence })
    } else if (confidence > known.confidence) {
      known.type = type
      known.confidence = confidence
    }
  }

  /** The user counts where a fact is about them or a text names them. */
  #userEntry(): Entry | undefined {
    const named = this.#userName ?? this.#namedById()
    if (named) {
      const entry = this.#entries.get(fold(named.name))
      entry?.aliases.add(this.#told.userId)
      return entry
    }
    const stated = [...this.#endings, ...this.#facts]
    if (!stated.some(one => one.source === 'user' || one.target === 'user')) return undefined
    const span = userIn(this.#told.text)
    return { name: this.#told.userId, type: 'PERSON', aliases: new Set(), span, confidence: 0.9 }
  }

  /** "Ada lives in Lisbon" in a text of the user "ada". */
  #namedById(): Mention | undefined {
    const entry = this.#entries.get(fold(this.#told.userId))
    return entry?.type === 'PERSON' ? { ...entry, ...entry.span } : undefined
  }

  /** "Ada" is "Ada Okafor" where the text names one such person. */
  #merged(): Map<string, Entry> {
    const people = [...this.#entries].filter(([, { type }]) => type === 'PERSON')
    const longer = new Map<string, Set<Entry>>()
    for (const [key, entry] of people.filter(([key]) => key.includes(' '))) {
      for (const word of key.split(' ')) longer.set(word, (longer.get(word) ?? new Set()).add(entry))
    }
    for (const [key, entry] of people.filter(([key]) => !key.includes(' '))) {
      const [only, ...more] = longer.get(key) ?? []
      if (!only || more.length > 0) continue
      only.aliases.add(entry.name)
      this.#entries.set(key, only)
    }
    return this.#entries
  }

  #entryOf(subject: Subject, user: Entry | undefined): Entry | undefined {
    return subject === 'user' ? user : this.#entries.get(fold(subject.name))
  }
}

const NOBODY: Entry = { name: '', type: 'THING', aliases: new Set(), span: { start: 0, end: 0 }, confidence: 0 }
