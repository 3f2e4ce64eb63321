import type { Tx } from '../../../core/db/database.ts'
import type { RelationType } from '../contract.ts'
import type { EntityReference } from '../reading/edges.ts'
import { atTime, follow, isSame, nextTo, ofType, sideOf, stepsOf } from './choose.ts'
import { type Fact, factsOf, factsOfTypes, otherEnd, type Place, pathsBetween } from './facts.ts'
import type { AskedRole, Question } from './question.ts'
import type { MemoryTexts } from './texts.ts'
import { ROLES, TIMELESS } from './vocabulary.ts'

/** Entities that one name in a question may mean, with the words it takes. */
export interface Named {
  readonly first: number
  readonly last: number
  readonly entities: readonly EntityReference[]
}

/** What the graph says to a question. */
export interface Finding {
  /** In the order in which they are told; none where nothing is known. */
  readonly facts: readonly Fact[]
  /** To a question that wants yes or no. */
  readonly verdict?: 'yes' | 'notAnyMore' | 'notKnown'
  /** It was asked when. */
  readonly dated?: boolean
}

export const NOTHING: Finding = { facts: [] }

export interface Search {
  readonly tx: Tx
  readonly place: Place
  readonly texts: MemoryTexts
  readonly text: string
  readonly question: Question
  /** In the order of the text; the one who asks among them. */
  readonly named: readonly Named[]
  /** Entities an answer may name. */
  readonly limit: number
}

const ABOUT_FACTS = 5
/** Ends of a name, or words, after which stands what somebody has. */
const OWNER = /['’]s?$|^(?:my|mein\w*|mis?|mon|ma|mes)$/iu
/** Of these one usually has a single one at a time, so that another one is half an answer. */
const USUALLY_ONE: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'BORN_IN', 'MARRIED_TO', 'REPORTS_TO'])

export async function find(search: Search): Promise<Finding> {
  const { question, named } = search
  if (question.kind === 'other') return NOTHING
  if (question.kind === 'connection') return connection(search)
  if (question.kind === 'about') return about(search)
  if (named.length === 0) return unnamed(search)
  if (question.roles.length > 0) return throughRoles(search, question.roles)
  return byVerb(search, joined(search, asksAbout(search)), question.kind === 'yesno' ? candidate(search) : undefined)
}

/** Everyone of whom it is so: "who is married?", asked without any name. */
async function unnamed({ tx, place, question, limit }: Search): Promise<Finding> {
  const { verb } = question
  if (!verb || question.unread.length > 0 || question.roles.length > 0 || question.kind === 'yesno') return NOTHING
  const facts = await factsOfTypes(tx, place, verb.types.slice(0, 1), limit)
  return { facts: atTime(facts, question.time).slice(0, limit) }
}

async function connection({ tx, place, named }: Search): Promise<Finding> {
  const [first, second] = named
  if (!first || !second) return NOTHING
  const [path] = await pathsBetween(tx, place, idsOf(first), idsOf(second))
  return { facts: path ?? [] }
}

async function about({ tx, place, named, question }: Search): Promise<Finding> {
  const [subject] = named
  // "What is Ana's phone number" is not about Ana.
  if (!subject || question.unread.length > 0) return NOTHING
  const facts = await factsOf(tx, place, idsOf(subject))
  return {
    facts: atTime(facts, { ...question.time, tense: question.time.tense === 'earlier' ? 'earlier' : 'now' }).slice(
      0,
      ABOUT_FACTS,
    ),
  }
}

/** The one the question is about: of several the first, and never the one that only says before or after what. */
function asksAbout({ named, question }: Search): Named | undefined {
  const { relative } = question.time
  return named.find(one => relative === undefined || one.first < relative.at) ?? named[0]
}

/** "Ana and Bob" are asked about together. */
function joined({ named, text, question }: Search, subject: Named | undefined): Named | undefined {
  const next = named.find(one => subject !== undefined && one.first === subject.last + 2)
  const between = text.split(/\s+/u).filter(Boolean)[(subject?.last ?? 0) + 1] ?? ''
  if (!subject || !next || question.kind === 'yesno' || !/^(?:and|und|y|et|&)$/iu.test(between)) return subject
  return { first: subject.first, last: next.last, entities: [...subject.entities, ...next.entities] }
}

function candidate({ named, question }: Search): Named | undefined {
  const { relative } = question.time
  return named.filter(one => relative === undefined || one.first < relative.at)[1]
}

/** "Anna's boss": from the owner over one role or two, and then perhaps over a verb. */
async function throughRoles(search: Search, roles: readonly AskedRole[]): Promise<Finding> {
  const { tx, place, question, text, limit } = search
  const owner = ownerOf(search, roles[0])
  if (!owner || question.unread.some(isName)) return NOTHING
  let ids = idsOf(owner)
  let via: Fact[] = []
  for (const [n, { role, steps }] of roles.entries()) {
    const types = steps.map(step => step.type)
    const isLast = n === roles.length - 1 && !leadsOn(search)
    const read = follow(await factsOf(tx, place, ids, types), new Set(ids), steps)
    const meant = await search.texts.saying(read, role.said)
    const facts = atTime(meant, isLast ? question.time : { ...question.time, tense: 'now', during: undefined })
    if (isLast) return rolesAnswer(search, via, facts, owner)
    const [step] = facts
    if (!step) return NOTHING
    via = [...via, step]
    ids = [otherEnd(step, new Set(ids)).id]
  }
  const { verb } = question
  if (!verb) return NOTHING
  const side = question.kind === 'who' ? sideOf(question, text, verb, roles.at(-1)?.at ?? 0) : 'out'
  const facts = follow(await factsOf(tx, place, ids, verb.types), new Set(ids), stepsOf(verb.types, side))
  const chosen = atTime(facts, question.time).slice(0, limit)
  const other = question.kind === 'yesno' ? search.named.find(one => one !== owner) : undefined
  if (other) return verdictOn(facts, chosen, new Set(idsOf(other)), via)
  return chosen.length > 0
    ? { facts: [...via, ...chosen], ...(question.kind === 'yesno' ? { verdict: 'yes' } : {}) }
    : NOTHING
}

/** Whether a verb asks something of the one in the role; "is", or the role's own word, asks nothing. */
function leadsOn({ question, text }: Search): boolean {
  const { verb, roles } = question
  if (!verb) return false
  const matched = verb.verb.words.exec(text)?.[0] ?? ''
  return (
    !roles.some(({ role }) => role.words.test(matched)) &&
    !ROLES.some(({ words }) => new RegExp(`^(?:${words.source})$`, 'iu').test(matched)) &&
    !/^(?:has|have)$/iu.test(matched)
  )
}

/** "Anna's boss", "my boss", "the boss of Anna": the name right before, else the nearest after, else any. */
function ownerOf({ named, text }: Search, role: AskedRole | undefined): Named | undefined {
  if (!role) return undefined
  const words = text.split(/\s+/u).filter(Boolean)
  const genitive = named.find(one => one.last < role.at && role.at - one.last <= 3 && OWNER.test(words[one.last] ?? ''))
  const after = named.find(one => one.first > role.at && /^(?:of|von|de|du|d)$/iu.test(words[one.first - 1] ?? ''))
  return genitive ?? after ?? named.findLast(one => one.last < role.at) ?? named[0]
}

function rolesAnswer(search: Search, via: Fact[], facts: Fact[], owner: Named): Finding {
  const { question, limit } = search
  if (question.kind !== 'yesno') return facts.length > 0 ? { facts: [...via, ...facts.slice(0, limit)] } : NOTHING
  const other = search.named.find(one => one !== owner)
  if (other) return verdictOn(facts, facts, new Set(idsOf(other)), via)
  return facts.length > 0 ? { facts: [...via, ...facts.slice(0, limit)], verdict: 'yes' } : NOTHING
}

async function byVerb(search: Search, subject: Named | undefined, other: Named | undefined): Promise<Finding> {
  const { tx, place, question, text, limit } = search
  const { verb, time } = question
  if (!subject || question.unread.some(isName) || ownsUnread(search, subject)) return NOTHING
  const isPerson = subject.entities.some(({ type }) => type === 'PERSON')
  const types = typesAsked(question, isPerson)
  if (types.length === 0)
    return question.kind === 'when' && search.named[1] ? between(search, subject, search.named[1]) : NOTHING
  const ids = new Set(idsOf(subject))
  const known = await factsOf(tx, place, [...ids], types)
  if (question.kind === 'yesno' || question.kind === 'when') return judged(search, known, subject, other)
  const steps = stepsOf(types, verb ? sideOf(question, text, verb, subject.first) : 'out')
  const facts = ofType(
    follow(known, ids, steps),
    ids,
    question.answers,
    question.kind === 'who' && steps[0]?.side === 'in',
  )
  if (time.relative) {
    const at = time.relative.at
    const beside = search.named.find(one => one.first >= at)
    return beside ? { facts: nextTo(facts, new Set(idsOf(beside)), time.relative.order) } : NOTHING
  }
  // What is said of another one that is named as well is meant: "what did Anna do with Bob".
  const second = search.named.find(one => one.first > subject.last || one.last < subject.first)
  const chosen = atTime(facts, time)
  const secondIds = new Set(second ? idsOf(second) : [])
  const both = chosen.filter(fact => secondIds.has(otherEnd(fact, ids).id))
  return { facts: (both.length > 0 ? both : chosen).slice(0, limit) }
}

/** Where somebody is, is where he lives; where something is, is where it lies. */
function typesAsked({ verb, kind }: Question, isPerson: boolean): readonly RelationType[] {
  const types = verb?.types ?? []
  if (kind !== 'where') return types
  if (types.length === 0) return [isPerson ? 'LIVES_IN' : 'LOCATED_IN']
  return types[0] === 'LIVES_IN' && !isPerson ? ['LOCATED_IN'] : types
}

async function between({ tx, place }: Search, subject: Named, other: Named): Promise<Finding> {
  const others = new Set(idsOf(other))
  const facts = (await factsOf(tx, place, idsOf(subject))).filter(
    fact => others.has(fact.source.id) || others.has(fact.target.id),
  )
  return { facts: facts.slice(0, 1), dated: true }
}

/** Questions that want yes or no, or a date: of what the named ones have with each other. */
function judged(search: Search, known: readonly Fact[], subject: Named, other: Named | undefined): Finding {
  const { question, text, limit } = search
  const ids = new Set(idsOf(subject))
  const isDated = question.kind === 'when'
  const object = other ?? (isDated ? search.named.find(one => one !== subject) : undefined)
  const side = question.verb?.passive ? 'in' : 'out'
  const facts = follow(known, ids, stepsOf(question.verb?.types ?? [], side))
  const chosen = atTime(facts, isDated ? { ...question.time, tense: 'any' } : question.time)
  if (object && isDated) {
    const objects = new Set(idsOf(object))
    return { facts: chosen.filter(fact => objects.has(otherEnd(fact, ids).id)).slice(0, 1), dated: true }
  }
  if (object) return verdictOn(facts, chosen, new Set(idsOf(object)), [])
  // "Does Ana like jazz?" where nothing is called jazz; but "is Ana married?" has no object.
  if (question.unread.length > 0 || /(?:in|at|for|with|bei|con|chez|to) ?\?*$/iu.test(text)) return NOTHING
  // What is so for ever began when a memory says so, not when it was first noted.
  if (isDated) return { facts: chosen.filter(fact => fact.from || !TIMELESS.has(fact.type)).slice(0, 1), dated: true }
  return chosen.length > 0 ? { facts: chosen.slice(0, limit), verdict: 'yes' } : NOTHING
}

/** Whether what was asked is among the facts, was once, or something else is known in its place. */
function verdictOn(
  all: readonly Fact[],
  chosen: readonly Fact[],
  objects: ReadonlySet<string>,
  via: readonly Fact[],
): Finding {
  const meets = (fact: Fact) => objects.has(fact.target.id) || objects.has(fact.source.id)
  const told = chosen.filter(meets)
  if (told.length > 0) return { facts: [...via, ...told], verdict: 'yes' }
  const former = all.filter(meets).filter(fact => !all.some(one => one.current && isSame(one, fact)))
  if (former.length > 0) return { facts: [...via, ...former.slice(0, 1)], verdict: 'notAnyMore' }
  const instead = all.filter(fact => fact.current && USUALLY_ONE.has(fact.type))
  return instead.length > 0 ? { facts: [...via, ...instead.slice(0, 2)], verdict: 'notKnown' } : NOTHING
}

/** "Ana's dentist", "my dentist": the question is about somebody that nothing is known of. */
function ownsUnread({ text, question }: Search, subject: Named): boolean {
  const words = text.split(/\s+/u).filter(Boolean)
  const next = words[subject.last + 1]?.replace(/\p{P}+$/gu, '').toLowerCase()
  const isOwner = OWNER.test(words[subject.last] ?? '')
  return isOwner && question.unread.some(word => word.toLowerCase() === next)
}

function idsOf(named: Named): string[] {
  return named.entities.map(entity => entity.id)
}

function isName(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}
