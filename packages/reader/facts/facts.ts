import { deniesVerb, lexicons, tellsFormerly, tellsNoLonger, tellsUnreal } from '../index.ts'
import { anchorsOf, type Frame, mayBe, mayBeSource, mentionsIn, pattern, sourceType, targetType } from './frame.ts'
import { bondsIn } from './kin.ts'
import { type EntityType, LASTING_TYPES, type RelationType } from './kinds.ts'
import { NOUN_CONFIDENCE, nounPhrases } from './noun-phrases.ts'
import { ALWAYS, type Fact, type Language, type Mention, type Subject, type Talk, type UnnamedEnding } from './parts.ts'
import { CALLING, CHANGE, CLAUSE_END, CONDITION, FEELING, NOBODY, NOT_MEANT, OPENING_DATE } from './rules/context.ts'
import { ORG, PERSON, type Rule } from './rules/rule.ts'
import { DENIED, ENDINGS, type Ending, LONG_AGO, RULES } from './rules/rules.ts'
import { asSpoken, speechIn, subjectBefore } from './subjects.ts'
import { validityIn } from './times.ts'
import { isToCome, RECENT_MS, readTime } from './told-time.ts'

/** The type that a relation implies for a name. */
export interface Typing {
  readonly mention: Mention
  readonly type: EntityType
}

export interface SentenceFacts {
  readonly facts: readonly Fact[]
  readonly endings: readonly UnnamedEnding[]
  /** Typings include those of denied and wished facts: "might join Yandex" still tells that Yandex is an organization. */
  readonly typings: readonly Typing[]
}

const OPEN_TYPES: ReadonlySet<RelationType> = new Set(['LIKES', 'DISLIKES', 'INTERESTED_IN'])

export function factsIn(frame: Frame, language: Language, talk: Talk, now: Date): SentenceFacts {
  const facts: Fact[] = []
  const typings: Typing[] = []
  const { isQuestion } = frame
  const speechAt = speechIn(frame, talk)
  const isNamed = frame.pieces.some(({ mention }) => mention)
  for (const { rule, regex, anchors } of preparedRules(language)) {
    if (!isNamed && !OPEN_TYPES.has(rule.type)) continue
    if (anchors && !anchors.some(anchor => frame.text.includes(anchor))) continue
    for (const match of frame.text.matchAll(regex)) read(rule, match)
  }
  for (const bond of isQuestion ? [] : bondsIn(frame, talk, language)) {
    const closes = bond.closes
    const sources = asSpoken(bond.sources, speechAt(bond.from))
    const targets = asSpoken(bond.targets, speechAt(bond.from))
    for (const subject of [...sources, ...targets])
      if (subject !== 'user') typings.push({ mention: subject, type: 'PERSON' })
    const validity = validityIn(frame.text.slice(Math.max(0, bond.from - 1)), {
      changes: /married|divorced/.test(frame.text.slice(bond.from, bond.to)),
      closes,
      now,
      language,
    })
    addAll(bond.type, sources, targets, {
      closes,
      ...(bond.onlyEnds ? { onlyEnds: true } : {}),
      confidence: 0.85,
      validity,
      ...spanOf(frame, bond.from, bond.to),
    })
  }
  const endings = isQuestion ? [] : endingsIn(frame, language, talk, now, facts)
  return { facts, endings, typings }

  function read(said: Rule, match: RegExpExecArray): void {
    const { rule, objects } = objectsOf(frame, said, match, language)
    if (rule.type === 'WORKS_AT' && isOfPlaces(frame, match)) return
    if (rule.change && rule.change !== changeOf(frame, match)) return
    if (NOT_MEANT[rule.type]?.test(match[0]) ?? false) return
    const found = subjectOf(frame, rule, match, talk)
    const words = `${found?.between ?? ''} ${match[0].replace(FEELING, 'feel')}`
    const aspect =
      isQuestion || conditional(frame, match)
        ? 'unreal'
        : NOBODY.test(frame.text.slice(0, match.index))
          ? 'denied'
          : rule.holds
            ? 'holds'
            : aspectOf(words, frame.text.slice(match.index + match[0].length))
    const isNoun = objects.every(({ type, confidence }) => type === 'THING' && confidence === NOUN_CONFIDENCE)
    const type = rule.type === 'LIKES' && aspect === 'denied' ? 'DISLIKES' : rule.type
    const isStated = found !== undefined && aspect !== 'unreal' && (aspect !== 'denied' || type !== rule.type)
    const spoken = asSpoken(found?.subjects ?? [], speechAt(match.index))
    const subjects = spoken.filter(subject => mayBeSource(rule, subject))
    if (found && (subjects.length === 0 || (found.isGroup && rule.type !== 'USES_TECHNOLOGY'))) return
    if (objects.length === 0) typings.push(...actorsAmong(subjects, rule))
    if (objects.length === 0) return
    if (isStated || !isNoun) for (const mention of objects) typings.push({ mention, type: targetType(rule, mention) })
    if (!isStated) return
    for (const subject of subjects)
      if (subject !== 'user') typings.push({ mention: subject, type: sourceType(rule, subject) })
    const past = (rule.past?.test(words) ?? false) && !/(?:^| )since /.test(frame.text)
    const closes = !LASTING_TYPES.has(type) && (rule.closes === true || past || aspect === 'ended')
    const isEnd = rule.closes === true || rule.onlyEnds === true
    const changes = isEnd || CHANGE.test(match[0])
    const around = clauseOf(frame, match, isEnd ? language : undefined)
    const validity = validityIn(around.clause, { ...around, changes, closes: closes || isEnd, now, language })
    if (LASTING_TYPES.has(type) && aspect === 'ended') return
    const [sources, targets] = rule.inverse ? [objects, subjects] : [subjects, objects]
    const left = !LASTING_TYPES.has(type) && (readTime(validity.to)?.latest ?? now) < now
    const ends = closes || left
    const span = spanOf(frame, match.index, match.index + match[0].length)
    const [place, whole, ...more] = rule.target.includes('PLACE') ? targets : []
    if (place && whole && more.length === 0 && isApart(match[0])) {
      addAll(type, sources, [place], { closes: ends, confidence: 0.8, validity, ...span })
      addAll('LOCATED_IN', [place], [whole], { closes: false, confidence: 0.75, validity: ALWAYS, ...span })
      return
    }
    addAll(type, sources, targets, {
      closes: ends,
      ...(rule.onlyEnds ? { onlyEnds: true } : {}),
      confidence: rule.known || rule.bound ? 0.75 : 0.8,
      validity,
      ...span,
    })
  }

  function addAll(
    type: RelationType,
    sources: readonly Subject[],
    targets: readonly Subject[],
    rest: Omit<Fact, 'type' | 'source' | 'target'>,
  ): void {
    for (const source of sources) {
      for (const target of targets) if (!same(source, target)) facts.push({ type, source, target, ...rest })
    }
  }
}

function isJob({ type, inverse }: Rule): boolean {
  return (type === 'WORKS_AT' || type === 'MANAGES') && inverse !== true
}

/** Finds the owner of what is named after a place: "joined the Madrid office of Wingtip" is of Wingtip, not of Madrid. */
function ownerOf(frame: Frame, match: RegExpExecArray): Mention | undefined {
  let at = frame.pieceAt(match.index + match[0].length + 1)
  if (!frame.pieces[at - 1]?.mention?.modifies) return undefined
  while (frame.pieces[at]?.unit.pos === 'NOUN' && !frame.pieces[at]?.mention) at++
  const owner = /^(?:of|at)$/.test(frame.pieces[at]?.unit.lower ?? '') ? frame.pieces[at + 1]?.mention : undefined
  return (owner?.type ?? 'ORGANIZATION') === 'ORGANIZATION' ? owner : undefined
}

/** Types who manages or joins something, whatever it is, and was taken for a town: "Yuki manages the Kyoto store". */
function actorsAmong(subjects: readonly Subject[], rule: Rule): Typing[] {
  if (rule.known || rule.bound || !isJob(rule)) return []
  return subjects.flatMap(mention =>
    mention !== 'user' && mention.type === 'PLACE' ? { mention, type: sourceType(rule, mention) } : [],
  )
}

/** Lists know most tools and few employers, so names that nobody knows are employers, unless all of a team has switched. */
function changeOf(frame: Frame, match: RegExpExecArray): 'tools' | 'employers' {
  const names = mentionsIn(frame, match[0])
  const isTool = names.some(({ type }) => type === 'THING')
  const areBrands = names.every(({ type, confidence }) => type === 'ORGANIZATION' && confidence < 0.8)
  const isTeam = / we (?:\S+ )?$/.test(frame.text.slice(0, match.index))
  return isTool || areBrands || isTeam ? 'tools' : 'employers'
}

/** "left Cork for Tromsø": no employers, though towns so small may be names of companies. */
function isOfPlaces(frame: Frame, match: RegExpExecArray): boolean {
  const names = mentionsIn(frame, match[0])
  return names.length > 1 && names.every(({ type }) => type === 'PLACE')
}

/** "Recife , Brazil": a place and what it lies in, not two places. */
function isApart(words: string): boolean {
  return /[\uE000-\uF8FF] , [\uE000-\uF8FF]$/.test(words)
}

function same(a: Subject, b: Subject): boolean {
  return a === b || (a !== 'user' && b !== 'user' && a.name === b.name)
}

interface PreparedRule {
  readonly rule: Rule
  readonly regex: RegExp
  readonly anchors: readonly string[] | undefined
}

const prepared = new Map<Language, readonly PreparedRule[]>()

function preparedRules(language: Language): readonly PreparedRule[] {
  const known = prepared.get(language)
  if (known) return known
  const rules = RULES[language].map(rule => ({ rule, regex: ruleRegex(rule), anchors: anchorsOf(rule.says) }))
  prepared.set(language, rules)
  return rules
}

/** A rule without an object of its own takes the names, or for likings the nouns, that follow it. */
export function ruleRegex(rule: Rule): RegExp {
  if (rule.says.endsWith('<O>')) return pattern(`${rule.says}(?! 's )`)
  if (rule.says.includes('<O>')) return pattern(rule.says)
  return OPEN_TYPES.has(rule.type)
    ? pattern(`${rule.says}(?: pas| plus| nicht| keine?n?)?(?: <F>(?<o><L>))?`)
    : pattern(`${rule.says}${rule.target === PERSON ? CALLING : ''} <F><O>(?! 's )`)
}

/** Finds what a match is about. Who works at a part of a company, or manages it, works for the company. */
function objectsOf(
  frame: Frame,
  rule: Rule,
  match: RegExpExecArray,
  language: Language,
): { rule: Rule; objects: Mention[] } {
  const owner = isJob(rule) ? ownerOf(frame, match) : undefined
  if (owner) return { rule: { ...rule, type: 'WORKS_AT', target: ORG }, objects: [owner] }
  return { rule, objects: ownObjects(frame, rule, match, language) }
}

function ownObjects(frame: Frame, rule: Rule, match: RegExpExecArray, language: Language): Mention[] {
  const named = ownOf(frame, match)
  if (!OPEN_TYPES.has(rule.type)) return named.filter(mention => mayBe(rule, mention, match[0]))
  if (named.length > 0) return /(?:over|than|to)$/.test(match[0]) ? named : firstOf(rule, named, match[0])
  return nounPhrases(frame, frame.pieceAt(match.index + match[0].length + 1), language)
}

/** The names of the object, without one that only begins the next clause: "after she studied at NUS , Linh has …", "left Acme and Ben joined". */
function ownOf(frame: Frame, match: RegExpExecArray): Mention[] {
  const listed = match.groups?.o ?? ''
  const named = mentionsIn(frame, listed)
  const next = frame.pieces[frame.pieceAt(match.index + match[0].length + 1)]?.unit.pos
  const begins = match[0].endsWith(listed) && / (?:,|and) .$/u.test(listed) && /^(?:VERB|AUX)$/.test(next ?? '')
  return begins && named.length === 2 ? named.slice(0, 1) : named
}

/** "prefers TypeScript to JavaScript" likes only the first. */
function firstOf(rule: Rule, named: Mention[], words: string): Mention[] {
  return rule.type === 'LIKES' && / to /.test(words.replace(/^\S+ to /, '')) ? named.slice(0, 1) : named
}

function subjectOf(frame: Frame, rule: Rule, match: RegExpExecArray, talk: Talk) {
  const at = frame.pieceAt(match.index)
  if (rule.bound) return { subjects: mentionsIn(frame, match.groups?.s ?? ''), between: '' }
  if (rule.user) {
    const before =
      frame.text
        .slice(0, match.index)
        .split(/ (?:[,;.]|y|and|pero|but) /)
        .at(-1) ?? ''
    return { subjects: ['user'] as const, between: before.trim().split(' ').slice(-4).join(' ') }
  }
  if (/ (?:ich|wir|je|nous) /.test(match[0])) return { subjects: ['user'] as const, between: '' }
  return subjectBefore(frame, at, talk)
}

function conditional(frame: Frame, match: RegExpExecArray): boolean {
  return CONDITION.test(frame.text.slice(0, match.index))
}

/**
 * From the start of the match to the end of its clause, and a date that opens the sentence; what of it follows the match.
 * @param ending the language of words that end something: a date of another verb behind them is none of theirs
 */
function clauseOf(
  frame: Frame,
  match: RegExpExecArray,
  ending?: Language,
): { clause: string; near: string; after: string } {
  const rest = frame.text.slice(match.index - 1)
  const end = rest.slice(match[0].length).search(CLAUSE_END)
  const clause = end === -1 ? rest : `${rest.slice(0, match[0].length + end)} `
  const following = clause.slice(match[0].length + 1)
  const after = ending ? following.slice(0, ownLength(frame, match, following, ending)) : following
  const opening = OPENING_DATE.exec(frame.text)?.[0] ?? ''
  const begin = match.index > opening.length ? opening.trimEnd() : ''
  return { clause: begin + clause, near: `${begin} ${match[0]}${after}`, after }
}

/** The length of what follows a match up to a relative pronoun or another verb. The parts of speech are those of English. */
function ownLength(frame: Frame, match: RegExpExecArray, following: string, language: Language): number {
  const from = frame.pieceAt(match.index + match[0].length + 1)
  const pronouns: readonly string[] = lexicons.RELATIVE_PRONOUNS[language] ?? []
  const at = frame.pieces.slice(from).findIndex(({ unit, mention }) => {
    const isVerb = language === 'en' && /^(?:VERB|AUX)$/.test(unit.pos) && !unit.lower.endsWith('ing')
    return !mention && (isVerb || pronouns.includes(unit.lower))
  })
  return at === -1 ? following.length : following.split(' ', at + 1).join(' ').length + 1
}

function spanOf(frame: Frame, from: number, to: number): { start: number; end: number } {
  const first = frame.pieces[frame.pieceAt(from)]
  const last = frame.pieces[Math.max(0, frame.pieceAt(Math.max(from, to - 1)))]
  return { start: first?.unit.start ?? 0, end: Math.max(last?.unit.end ?? 0, first?.unit.end ?? 0) }
}

/** Says whether words state a fact, deny it, end it, or only wish for it. */
type Aspect = 'holds' | 'ended' | 'denied' | 'unreal'

/** German says so a few words after the verb: "mag Salsa nicht mehr". */
const NEXT_WORDS = /^(?: [^ .,;!?]+){0,6}/

/**
 * @param words from the subject to the object, in lower case
 * @param after what follows the object
 */
function aspectOf(words: string, after: string): Aspect {
  const next = NEXT_WORDS.exec(after)?.[0] ?? ''
  if (tellsNoLonger(words) || tellsFormerly(words) || tellsNoLonger(next, 'de')) return 'ended'
  if (deniesVerb(words)) return tellsNoLonger(after.split(/[.;!?]/, 1)[0] ?? '', 'en') ? 'ended' : 'denied'
  return tellsUnreal(words) ? 'unreal' : 'holds'
}

/** Finds endings that a sentence does not name, of types for which it states nothing else. */
export function endingsIn(
  frame: Frame,
  language: Language,
  talk: Talk,
  now: Date,
  facts: readonly Fact[],
): UnnamedEnding[] {
  if (LONG_AGO.test(frame.text)) return []
  return ENDINGS[language].flatMap(ending => {
    if (facts.some(({ type }) => type === ending.type)) return []
    return [...frame.text.matchAll(pattern(ending.says))].flatMap(match => {
      const clause =
        frame.text
          .slice(0, match.index)
          .split(/ [,;.:] /)
          .at(-1) ?? ''
      if (mayNotHold(clause) || DENIED.test(match[0])) return []
      const sources = whose(frame, ending, match, talk)
      const validity = validityIn(frame.text.slice(match.index - 1), { changes: true, closes: true, now, language })
      const told = readTime(validity.to)
      const isOfNow = !told || (!isToCome(told, now) && now.getTime() - told.earliest.getTime() <= RECENT_MS)
      const first = frame.pieces[frame.pieceAt(match.index)]
      const last = frame.pieces[frame.pieceAt(match.index + match[0].length - 1)]
      if (sources.length !== 1 || !isOfNow || !first || !last) return []
      const span = { start: first.unit.start, end: last.unit.end }
      return sources.map(source => ({ type: ending.type, source, confidence: 0.8, validity, ...span }))
    })
  })
}

/** Tells whether words before an ending deny it, wish it or suppose it. */
function mayNotHold(words: string): boolean {
  return deniesVerb(words) || tellsUnreal(words)
}

function whose(frame: Frame, ending: Ending, match: RegExpExecArray, talk: Talk): readonly Subject[] {
  if (ending.user) return ['user']
  if (match.groups?.s) return mentionsIn(frame, match.groups.s).filter(mayBeSomebody)
  const found = subjectBefore(frame, frame.pieceAt(match.index), talk)
  if (!found || found.isGroup || mayNotHold(found.between)) return []
  return found.subjects.filter(mayBeSomebody)
}

/** First names are small towns too. */
function mayBeSomebody(subject: Subject): boolean {
  if (subject === 'user') return true
  const { type = 'PERSON', name, confidence } = subject
  return type === 'PERSON' || (type === 'PLACE' && !name.includes(' ') && confidence < 0.7)
}
