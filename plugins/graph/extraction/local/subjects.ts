import type { Frame } from './frame.ts'
import type { Mention } from './mention.ts'
import { isGoverned, PREPOSITIONS, peopleMeant, personMeant } from './pronouns.ts'
import type { Subject, Talk } from './talk.ts'

export interface FoundSubject {
  readonly subjects: readonly Subject[]
  /** Words between the subject and its verb, in lower case: "does not", "would like to". */
  readonly between: string
  /** "our team": what it uses the user uses, but where it sits the user need not live. */
  readonly isGroup?: boolean
}

const set = (words: string) => new Set(words.trim().split(/\s+/))

const USER = set(
  "i we i'm ich wir yo nosotros nosotras j' je nous nutzer nutzerin usuario usuaria utilisateur utilisatrice",
)
const THIRD = set('he she er él ella il elle')
const THEY = set('they ellos ellas ils elles')
const RELATIVE = set('who which that qui que der')
const LINKS = set(
  ', ; and but or then so because before after while when as – — - und aber oder dann y e pero et mais puis : where',
)
const OWNERS = set(
  'my our your his her their mein meine meinen mi mis mon ma mes su sus son sa seine seiner seinem seinen ihre ihrer ihrem ihren sein ihr unser unsere',
)

/** Words that may stand between a subject and its verb. */
const BETWEEN = set(`
  am is are was were be been being 's 'm 're 've 'll 'd has have had do does did don't doesn't didn't isn't aren't wasn't weren't haven't
  hasn't hadn't won't wouldn't can't cannot will would can could may might shall should must not never no longer used to also still now
  currently just recently always really only already often sometimes usually mostly mainly both once again finally since then early late
  want wants wanted plan plans planned planning hope hopes hoping like love loves going trying try tries thinking about considering consider considers
  wish wishes dream dreams of start started starting begin began continue continues stopped get got getting today soon once all too
  ne n' pas plus jamais me m' se s' te y en a ai ont avons est suis sommes sont était nicht nie mehr hat habe haben ist bin wurde war waren
  jetzt seit immer auch schon gerne sehr no nunca ya ha he han se ahora también siempre y'a maintenant toujours aussi last year month week
  möchte will würde kann soll quiero quiere quisiera voudrais veut veux gustaría aimerais long time happily full-time part-time remotely`)
const GROUPS = set('team company startup backend frontend app service stack project website codebase')

/** "the Falcon service" */
const APPOSED = set(
  'service app application project library framework backend frontend website site tool platform team department group band',
)

const DEPTH_MAX = 4
const BACK_MAX = 40

/** Whoever does what the verb at `index` says; undefined where that is somebody without a name. */
export function subjectBefore(frame: Frame, index: number, talk: Talk, depth = 0): FoundSubject | undefined {
  const between: string[] = []
  const found = (subjects: readonly Subject[]) =>
    subjects.length > 0 ? { subjects, between: between.reverse().join(' ') } : undefined
  if (isAdverbial(frame, index)) {
    const verb = depth < DEPTH_MAX ? verbBefore(frame, index) : -1
    const own = verb >= 0 ? subjectBefore(frame, verb, talk, depth + 1) : undefined
    return own && found(own.subjects)
  }
  const collective = () => ({ subjects: ['user' as const], between: between.reverse().join(' '), isGroup: true })
  for (let i = index - 1; i >= 0 && i > index - BACK_MAX; i--) {
    const piece = frame.pieces[i]
    if (!piece) return undefined
    const word = piece.unit.lower
    if (piece.mention) {
      const verb = frame.pieces[i + 1]?.unit.lower === 'to' ? governingVerb(frame, i) : -1
      if (verb >= 0) return depth < DEPTH_MAX ? subjectBefore(frame, verb, talk, depth + 1) : undefined
      if (!isGoverned(frame, i)) return found(listEndingAt(frame, i))
      i = phraseStart(frame, i)
      continue
    }
    if (USER.has(word)) return found(['user', ...withUser(frame, i)])
    if (word === 'he' && frame.pieces[i + 1]?.mention) continue
    if (word === ')') {
      i = bracketBefore(frame, i)
      continue
    }
    const isShe = word === 'sie' && /t$/.test(frame.pieces[i + 1]?.unit.lower ?? '')
    if (THIRD.has(word) || isShe) return found(personMeant(frame, i, talk))
    if (THEY.has(word)) return found(peopleMeant(frame, i, talk))
    if (i === 0 && /^[-*•–]$/.test(word)) break
    if (GROUPS.has(word) && /^(?:our|my)$/.test(frame.pieces[i - 1]?.unit.lower ?? '')) return collective()
    if (APPOSED.has(word) && frame.pieces[i - 1]?.mention) continue
    if (RELATIVE.has(word) && i > 0) return found(antecedent(frame, i))
    if (LINKS.has(word)) {
      const topic = word === ':' ? topicBefore(frame, i) : []
      if (topic.length > 0) return found(topic)
      const inherited = inheritedAt(frame, i, talk, depth)
      return inherited && found(inherited.subjects)
    }
    if (isRelativeBeside(frame, i)) {
      i -= 2
      continue
    }
    if (BETWEEN.has(word) || piece.unit.pos === 'ADV' || (piece.unit.pos === 'NUM' && between.length > 0))
      between.push(word)
    else return undefined
  }
  return found(implied(frame, index, between, talk))
}

/** "since leaving": whose the verb before it is. */
function isAdverbial(frame: Frame, index: number): boolean {
  const [first, second] = frame.pieces.slice(index, index + 2)
  return /^(?:since|after|before|while)$/.test(first?.unit.lower ?? '') && /ing$/.test(second?.unit.lower ?? '')
}

/** "Ada and her husband moved" */
function isRelativeBeside(frame: Frame, index: number): boolean {
  return (
    /^(?:his|her|their)$/.test(frame.pieces[index - 1]?.unit.lower ?? '') &&
    frame.pieces[index - 2]?.unit.lower === 'and'
  )
}

/** Finds the subject of the predicate before the link at `index`: "dislikes being called and favours Signal". */
function inheritedAt(frame: Frame, index: number, talk: Talk, depth: number): FoundSubject | undefined {
  const verb = depth < DEPTH_MAX ? verbBefore(frame, index) : -1
  if (verb < 0) return sentenceSubject(frame, index)
  const nearest = subjectBefore(frame, verb, talk, depth + 1)
  if (nearest || frame.pieces[index]?.unit.lower !== 'and') return nearest
  let earlier = verbBefore(frame, verb)
  for (let n = 0; n < DEPTH_MAX && earlier >= 0; n++) {
    const clause = frame.pieces.slice(earlier, index)
    if (clause.some(({ unit }) => unit.lower === ',' || THIRD.has(unit.lower) || RELATIVE.has(unit.lower)))
      return undefined
    const own = subjectBefore(frame, earlier, talk, depth + 1)
    if (own) return own
    earlier = verbBefore(frame, earlier)
  }
  return undefined
}

/** Index of the bracket that the one at `index` closes; what stands between says something of what stands before. */
function bracketBefore(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && frame.pieces[i]?.unit.lower !== '(') i--
  return i
}

/** "Anjali and I founded": those before "and I" act as well, where they begin the clause. */
function withUser(frame: Frame, index: number): Mention[] {
  if (frame.pieces[index - 1]?.unit.lower !== 'and' || !frame.pieces[index - 2]?.mention) return []
  const names = listEndingAt(frame, index - 2)
  const first = frame.pieces.findIndex(({ mention }) => mention !== undefined && mention === names[0])
  const before = frame.pieces[first - 1]?.unit
  return before === undefined || before.pos === 'PUNCT' || before.pos === 'SCONJ' ? names : []
}

/** Index of the preposition that governs the name at `index`. */
function phraseStart(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && !PREPOSITIONS.has(frame.pieces[i]?.unit.lower ?? '')) i--
  return i
}

/** "Ada , Ben and Eve" from its last name back. */
function listEndingAt(frame: Frame, index: number): Mention[] {
  const names: Mention[] = []
  for (let i = index; i >= 0; ) {
    const { mention } = frame.pieces[i] ?? {}
    if (!mention) break
    names.unshift(mention)
    const link = frame.pieces[i - 1]?.unit.lower ?? ''
    const own = /^(?:his|her|my|sister|brother|wife|husband|partner)$/.test(link)
    if (own) {
      const conjunction = frame.pieces.slice(Math.max(0, i - 4), i).findIndex(({ unit }) => unit.lower === 'and')
      if (conjunction < 0) break
      i = Math.max(0, i - 4) + conjunction - 1
      continue
    }
    if (!/^(?:and|und|y|e|et|,|&)$/.test(link) || (link === ',' && names.length === 1)) break
    const before = frame.pieces[i - 2]
    if (!before?.mention) break
    i -= 2
  }
  return names
}

function antecedent(frame: Frame, index: number): readonly Subject[] {
  let before = frame.pieces[index - 1]?.unit.lower === ',' ? index - 2 : index - 1
  if (APPOSED.has(frame.pieces[before]?.unit.lower ?? '') && frame.pieces[before - 1]?.mention) before--
  const piece = frame.pieces[before]
  return piece?.mention ? [piece.mention] : []
}

function verbBefore(frame: Frame, index: number): number {
  for (let i = index - 1; i >= 0 && i > index - BACK_MAX; i--) {
    const pos = frame.pieces[i]?.unit.pos
    if (!frame.pieces[i]?.mention && (pos === 'VERB' || pos === 'AUX')) return i
  }
  return -1
}

/** "Tess , a chef , works": the first name of the sentence when it stands free. */
export function sentenceSubject(frame: Frame, index: number): FoundSubject | undefined {
  for (let i = 0; i < index; i++) {
    const { mention } = frame.pieces[i] ?? {}
    if (mention)
      return isGoverned(frame, i) ? undefined : { subjects: listEndingAt(frame, listEnd(frame, i, index)), between: '' }
    if (USER.has(frame.pieces[i]?.unit.lower ?? '')) return { subjects: ['user'], between: '' }
  }
  return undefined
}

/** "left Acme to join Globex": the verb whose object the name at `index` is, for its subject joins; -1 where there is none. */
function governingVerb(frame: Frame, index: number): number {
  let i = index - 1
  while (i > 0 && /^(?:the|a|an|my|our|his|her|their)$/.test(frame.pieces[i]?.unit.lower ?? '')) i--
  const before = frame.pieces[i]
  return before && !before.mention && before.unit.pos === 'VERB' ? i : -1
}

/** "Bought out by his partners , Henk left": whom a clause at the start is about, named after it. */
function fronted(frame: Frame, index: number): readonly Subject[] {
  if (index > 2) return []
  for (let i = index + 1; i < frame.pieces.length - 2; i++) {
    if (frame.pieces[i]?.unit.lower !== ',') continue
    const at = /^(?:the|our|my)$/.test(frame.pieces[i + 1]?.unit.lower ?? '') ? i + 2 : i + 1
    const piece = frame.pieces[at]
    const acts = /^(?:VERB|AUX|ADV)$/.test(frame.pieces[at + 1]?.unit.pos ?? '')
    if (piece?.mention && acts) return [piece.mention]
    if (USER.has(piece?.unit.lower ?? '') && acts) return ['user']
  }
  return []
}

/** "Update on Ada : now at Acme": the sentence is about her. */
function topicBefore(frame: Frame, colon: number): Mention[] {
  const { mention } = frame.pieces[colon - 1] ?? {}
  const tells = /^(?:update|news|note|notes|info|heard|word|re|about|regarding)$/
  return mention && colon < 5 && tells.test(frame.pieces[0]?.unit.lower ?? '') ? [mention] : []
}

/** Index of the last name of the list that begins at `from`, before `limit`. */
function listEnd(frame: Frame, from: number, limit: number): number {
  let at = from
  while (
    at + 2 < limit &&
    /^(?:and|,|&)$/.test(frame.pieces[at + 1]?.unit.lower ?? '') &&
    frame.pieces[at + 2]?.mention
  )
    at += 2
  return at
}

/** Notes leave out who they are about: "Works at Acme". An order ("Visit Rome") is about nobody. */
function implied(frame: Frame, index: number, between: readonly string[], talk: Talk): readonly Subject[] {
  const first = frame.pieces[Math.max(0, index - between.length)]?.unit
  const verb = frame.pieces[index]?.unit.lower ?? ''
  if (!first || /[?]/.test(frame.text)) return []
  const later = /(?:ed|en|t|ng|wn|ilt|un)$/.test(verb) ? fronted(frame, index) : []
  if (later.length > 0) return later
  const told =
    /(?:s|ed|ing)$|^(?:can't|cannot|couldn't|not|doesn't)$/.test(verb) || PAST.has(verb) || between.length > 0
  if (
    !told ||
    /^(?:do|does|did|don't|never|please|will|would|can|could|according|including|regarding|during)$/.test(first.lower)
  )
    return []
  return talk.people.length > 0 && /s$/.test(verb) ? talk.people.slice(-1) : ['user']
}

const PAST = set(
  'bin habe hab arbeite wohne lebe nutze benutze got broke split chose owner been lost had took gave came ran saw became began found kept led met left went bought sold built wrote grew spent flew drove quit born moved spoke made',
)

/** A possessive as the one it stands for: "my", "his", "Ada 's". */
export function ownersOf(word: string, frame: Frame, index: number, talk: Talk): readonly Subject[] {
  if (
    /^(?:my|our|mein|meine|meinen|meiner|meinem|unser|unsere|unserem|unserer|mi|mis|nuestro|nuestra|mon|ma|mes|notre)$/.test(
      word,
    )
  )
    return ['user']
  if (!OWNERS.has(word)) return []
  return personMeant(frame, index, talk)
}
