import { lexicons, type Tx, wordingPattern } from 'mneme/plugin'
import type { AskedRole, Question } from 'text-reader/inquiries'
import { ROLES, type Step, TIMELESS } from 'text-reader/inquiries'
import type { RelationType } from '../contract.ts'
import { atTime, follow, nextTo, ofType, sideOf, stepsOf } from './choose.ts'
import { type Fact, factsOf, factsOfTypes, otherEnd, type Place, pathsBetween } from './facts.ts'
import { namesakesOf } from './namesakes.ts'
import type { MemoryTexts } from './texts.ts'
import { elsewhere, type Finding, idsOf, isName, type Named, NOTHING, opposed, verdictOn } from './verdict.ts'

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
const OWNER = new RegExp(`['’]s?$|^(?:${wordingPattern(lexicons.OWNER_WORDINGS).source})$`, 'iu')
/** "Who works at?" asks for what belongs behind it. */
const OPEN = new RegExp(`(?:${lexicons.OPEN_PREPOSITIONS.join('|')}) ?\\?*$`, 'iu')

export async function find(search: Search): Promise<Finding> {
  const { question, named } = search
  if (question.kind === 'other') return NOTHING
  if (question.kind === 'connection') return connection(search)
  if (question.kind === 'about') return about(search)
  if (named.length === 0) return unnamed(search)
  const roles = rolesLeft(search)
  if (roles.length > 0) return throughRoles(search, roles)
  const subject = joined(search, asksAbout(search))
  const other = question.kind === 'yesno' ? candidate(search) : undefined
  const finding = await byVerb(search, subject, other)
  if (finding.facts.length > 0 || !subject) return finding
  const entities = await namesakesOf(search.tx, search.place, idsOf(subject))
  return entities.length > 0 ? byVerb(search, { ...subject, entities }, other) : finding
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

async function about(search: Search): Promise<Finding> {
  const { tx, place, named, question } = search
  const [subject] = named
  // "What is Ana's phone number" is not about Ana, and "What is my last name" not about all that is known of me.
  if (!subject || question.unread.length > 0 || isOwnerOfNext(search, subject)) return NOTHING
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
  const called = named.find(({ first }) => question.roles.some(({ at }) => first === at + 1))
  if (called) return called
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

/** "My brother Felix" is Felix: a name right after its role says who is meant. */
function rolesLeft({ question, named }: Search): readonly AskedRole[] {
  return question.roles.filter(({ at }) => !named.some(({ first }) => first === at + 1))
}

/** "Anna's boss": from the owner over one role or two, and then perhaps over a verb. */
async function throughRoles(search: Search, roles: readonly AskedRole[]): Promise<Finding> {
  const { tx, place, question, text, limit } = search
  const owner = ownerOf(search, roles[0])
  if (!owner || question.unread.some(isName)) return NOTHING
  let ids = idsOf(owner)
  let via: Fact[] = []
  for (const [n, { role, steps, former }] of roles.entries()) {
    const types = steps.map(step => step.type)
    const isLast = n === roles.length - 1 && !leadsOn(search)
    const own = follow(await factsOf(tx, place, ids, types), new Set(ids), steps)
    const read = own.length > 0 ? own : await ofNamesakes(search, ids, types, steps)
    const meant = await search.texts.saying(read, role.said)
    const time = isLast ? question.time : { ...question.time, tense: 'now' as const, during: undefined }
    const facts = atTime(meant, former ? { ...time, tense: 'earlier' } : time)
    if (isLast) return rolesAnswer(search, { via, known: meant, facts, owner })
    const [step] = facts
    if (!step) return NOTHING
    via = [...via, step]
    ids = [otherEnd(step, new Set(ids)).id]
  }
  const { verb } = question
  if (!verb) return NOTHING
  const side = question.kind === 'who' ? sideOf(question, text, verb, roles.at(-1)?.at ?? 0) : 'out'
  const steps = stepsOf(verb.types, side)
  const own = follow(await factsOf(tx, place, ids, verb.types), new Set(ids), steps)
  const facts = own.length > 0 ? own : await ofNamesakes(search, ids, verb.types, steps)
  const chosen = atTime(facts, question.time).slice(0, limit)
  const other = question.kind === 'yesno' ? search.named.find(one => one !== owner) : undefined
  if (other) return verdictOn(facts, chosen, new Set(idsOf(other)), via)
  return chosen.length > 0
    ? { facts: [...via, ...chosen], ...(question.kind === 'yesno' ? { verdict: 'yes' } : {}) }
    : NOTHING
}

/** Includes people whom other memories call by the first name or by the whole name. */
async function ofNamesakes(
  { tx, place }: Search,
  ids: readonly string[],
  types: readonly RelationType[],
  steps: readonly Step[],
): Promise<Fact[]> {
  const near = (await namesakesOf(tx, place, ids)).map(({ id }) => id)
  return near.length > 0 ? follow(await factsOf(tx, place, near, types), new Set(near), steps) : []
}

/** Tells whether a verb asks something of the one in the role; "is", or the role's own word, asks nothing. */
function leadsOn({ question, text }: Search): boolean {
  const { verb, roles } = question
  if (!verb) return false
  const matched = verb.verb.words.exec(text)?.[0] ?? ''
  // "What car do I drive" asks for the car.
  if (verb.types.includes('OWNS') && roles.every(({ steps }) => steps.every(({ type }) => type === 'OWNS')))
    return false
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

/** The requested facts, and all known facts of the role. */
function rolesAnswer(
  search: Search,
  { via, known, facts, owner }: { via: Fact[]; known: Fact[]; facts: Fact[]; owner: Named },
): Finding {
  const { question, limit } = search
  if (question.kind !== 'yesno') return facts.length > 0 ? { facts: [...via, ...facts.slice(0, limit)] } : NOTHING
  const other = search.named.find(one => one !== owner)
  if (other) return verdictOn(known, facts, new Set(idsOf(other)), via)
  return facts.length > 0 ? { facts: [...via, ...facts.slice(0, limit)], verdict: 'yes' } : NOTHING
}

async function byVerb(search: Search, subject: Named | undefined, other: Named | undefined): Promise<Finding> {
  const { tx, place, question, text, limit } = search
  const { verb, time } = question
  if (!subject || ownsUnread(search, subject) || asksForUnread(search, subject)) return NOTHING
  if (question.unread.some(isName)) return elsewhere(search, subject)
  const isPerson = subject.entities.some(({ type }) => type === 'PERSON')
  const types = typesAsked(question, isPerson)
  if (types.length === 0)
    return question.kind === 'when' && search.named[1] ? between(search, subject, search.named[1]) : NOTHING
  const ids = new Set(idsOf(subject))
  const known = await factsOf(tx, place, [...ids], types)
  if (question.kind === 'yesno' || question.kind === 'when') {
    const found = judged(search, known, subject, other)
    return found.facts.length === 0 && other ? opposed(search, types, ids, other) : found
  }
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
  // A fact about another named entity is meant: "what did Anna do with Bob".
  const second = search.named.find(one => one.first > subject.last || one.last < subject.first)
  const held = atTime(facts, time)
  const said = await search.texts.saying(held, verb?.verb.said)
  const chosen = said.length > 0 ? said : held
  const secondIds = new Set(second ? idsOf(second) : [])
  const both = chosen.filter(fact => secondIds.has(otherEnd(fact, ids).id))
  return { facts: (both.length > 0 ? both : chosen).slice(0, limit) }
}

/** "Where is" asks for the home of a person and the location of a thing. */
function typesAsked({ verb, kind, unread }: Question, isPerson: boolean): readonly RelationType[] {
  const types = verb?.types ?? []
  if (kind !== 'where') return types
  // "Where did I leave my keys?" asks for something else.
  if (types.length === 0 && unread.length > 0) return []
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
  if (question.unread.length > 0 || OPEN.test(text)) return NOTHING
  // A fact without an end began when a memory says so, not when it was first noted.
  if (isDated) return { facts: chosen.filter(fact => fact.from || !TIMELESS.has(fact.type)).slice(0, 1), dated: true }
  if (chosen.length > 0) return { facts: chosen.slice(0, limit), verdict: 'yes' }
  // "Am I married?" of one who was.
  const former = question.time.tense === 'now' ? atTime(facts, { ...question.time, tense: 'earlier' }) : []
  return former.length > 0 ? { facts: former.slice(0, 1), verdict: 'notAnyMore' } : NOTHING
}

/** "Ana's last name", "my last name": what somebody has is asked for. */
function isOwnerOfNext({ text }: Search, subject: Named): boolean {
  const words = text.split(/\s+/u).filter(Boolean)
  return OWNER.test(words[subject.last] ?? '') && words[subject.last + 1] !== undefined
}

/** "My phone number", "my job title": the last word of what somebody has says what is asked for, and nothing is known of that. */
function asksForUnread(search: Search, subject: Named): boolean {
  const { question, text } = search
  const last = text
    .trim()
    .split(/\s+/u)
    .at(-1)
    ?.replace(/\p{P}+$/gu, '')
  return question.kind === 'what' && isOwnerOfNext(search, subject) && question.unread.at(-1) === last
}

/** "Ana's dentist", "my dentist": the question is about somebody that nothing is known of. */
function ownsUnread({ text, question }: Search, subject: Named): boolean {
  const words = text.split(/\s+/u).filter(Boolean)
  const next = words[subject.last + 1]?.replace(/\p{P}+$/gu, '').toLowerCase()
  const isOwner = OWNER.test(words[subject.last] ?? '')
  return isOwner && question.unread.some(word => word.toLowerCase() === next)
}
