import type { RelationType } from '../facts/kinds.ts'
import type { Language } from '../facts/parts.ts'

/**
 * Phrases for a relationship in the present and in the past. That of studies tells of both while it holds: a degree keeps it, so that it does
 * not say whether somebody still studies.
 */
type Phrase = readonly [now: string, then: string]
type Phrases = Readonly<Record<RelationType, Phrase>>

const ENGLISH: Phrases = {
  WORKS_AT: ['works at', 'worked at'],
  MANAGES: ['manages', 'managed'],
  REPORTS_TO: ['reports to', 'reported to'],
  COLLABORATES_WITH: ['works with', 'worked with'],
  KNOWS: ['knows', 'knew'],
  RELATED_TO: ['is related to', 'was related to'],
  MARRIED_TO: ['is married to', 'was married to'],
  PARENT_OF: ['is a parent of', 'was a parent of'],
  LIVES_IN: ['lives in', 'lived in'],
  LOCATED_IN: ['is in', 'was in'],
  BORN_IN: ['was born in', 'was born in'],
  VISITED: ['visited', 'visited'],
  OWNS: ['owns', 'owned'],
  CREATED: ['created', 'created'],
  USES_TECHNOLOGY: ['uses', 'used'],
  PART_OF: ['is part of', 'was part of'],
  MEMBER_OF: ['is a member of', 'was a member of'],
  STUDIED_AT: ['has studied at', 'studied at'],
  LIKES: ['likes', 'liked'],
  DISLIKES: ['dislikes', 'disliked'],
  INTERESTED_IN: ['is interested in', 'was interested in'],
}

const GERMAN: Phrases = {
  WORKS_AT: ['arbeitet bei', 'arbeitete bei'],
  MANAGES: ['leitet', 'leitete'],
  REPORTS_TO: ['berichtet an', 'berichtete an'],
  COLLABORATES_WITH: ['arbeitet zusammen mit', 'arbeitete zusammen mit'],
  KNOWS: ['kennt', 'kannte'],
  RELATED_TO: ['ist verwandt mit', 'war verwandt mit'],
  MARRIED_TO: ['ist verheiratet mit', 'war verheiratet mit'],
  PARENT_OF: ['ist Elternteil von', 'war Elternteil von'],
  LIVES_IN: ['wohnt in', 'wohnte in'],
  LOCATED_IN: ['liegt in', 'lag in'],
  BORN_IN: ['ist geboren in', 'ist geboren in'],
  VISITED: ['hat besucht:', 'hat besucht:'],
  OWNS: ['besitzt', 'besaß'],
  CREATED: ['ist Urheber von', 'ist Urheber von'],
  USES_TECHNOLOGY: ['nutzt', 'nutzte'],
  PART_OF: ['ist Teil von', 'war Teil von'],
  MEMBER_OF: ['ist Mitglied von', 'war Mitglied von'],
  STUDIED_AT: ['hat studiert an', 'studierte an'],
  LIKES: ['mag', 'mochte'],
  DISLIKES: ['mag nicht:', 'mochte nicht:'],
  INTERESTED_IN: ['interessiert sich für', 'interessierte sich für'],
}

const SPANISH: Phrases = {
  WORKS_AT: ['trabaja en', 'trabajaba en'],
  MANAGES: ['dirige a', 'dirigía a'],
  REPORTS_TO: ['reporta a', 'reportaba a'],
  COLLABORATES_WITH: ['trabaja con', 'trabajaba con'],
  KNOWS: ['conoce a', 'conocía a'],
  RELATED_TO: ['es pariente de', 'era pariente de'],
  MARRIED_TO: ['tiene como cónyuge a', 'tuvo como cónyuge a'],
  PARENT_OF: ['es padre o madre de', 'era padre o madre de'],
  LIVES_IN: ['vive en', 'vivía en'],
  LOCATED_IN: ['está en', 'estaba en'],
  BORN_IN: ['nació en', 'nació en'],
  VISITED: ['visitó', 'visitó'],
  OWNS: ['posee', 'poseía'],
  CREATED: ['creó', 'creó'],
  USES_TECHNOLOGY: ['usa', 'usaba'],
  PART_OF: ['es parte de', 'era parte de'],
  MEMBER_OF: ['es miembro de', 'era miembro de'],
  STUDIED_AT: ['ha estudiado en', 'estudió en'],
  LIKES: ['tiene gusto por', 'tenía gusto por'],
  DISLIKES: ['tiene aversión a', 'tenía aversión a'],
  INTERESTED_IN: ['se interesa por', 'se interesaba por'],
}

const FRENCH: Phrases = {
  WORKS_AT: ['travaille chez', 'travaillait chez'],
  MANAGES: ['dirige', 'dirigeait'],
  REPORTS_TO: ['rend compte à', 'rendait compte à'],
  COLLABORATES_WITH: ['travaille avec', 'travaillait avec'],
  KNOWS: ['connaît', 'connaissait'],
  RELATED_TO: ['est de la famille de', 'était de la famille de'],
  MARRIED_TO: ['a pour conjoint', 'avait pour conjoint'],
  PARENT_OF: ['est parent de', 'était parent de'],
  LIVES_IN: ['habite à', 'habitait à'],
  LOCATED_IN: ['se trouve à', 'se trouvait à'],
  BORN_IN: ['a vu le jour à', 'a vu le jour à'],
  VISITED: ['a visité', 'a visité'],
  OWNS: ['possède', 'possédait'],
  CREATED: ['a créé', 'a créé'],
  USES_TECHNOLOGY: ['utilise', 'utilisait'],
  PART_OF: ['fait partie de', 'faisait partie de'],
  MEMBER_OF: ['est membre de', 'était membre de'],
  STUDIED_AT: ['a étudié à', 'a étudié à'],
  LIKES: ['aime', 'aimait'],
  DISLIKES: ["n'aime pas", "n'aimait pas"],
  INTERESTED_IN: ["s'intéresse à", "s'intéressait à"],
}

const RELATIONS: Readonly<Record<Language, Phrases>> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH }

/** "works at", or "worked at" for what holds no more. */
export function phraseOf(language: Language, type: RelationType, current: boolean): string {
  const [now, then] = RELATIONS[language][type]
  return current ? now : then
}

interface Words {
  readonly and: string
  readonly since: string
  readonly until: string
  readonly from: string
  readonly yes: string
  readonly no: string
  readonly notAnyMore: string
  readonly notKnown: string
  readonly unknown: string
  readonly noDate: string
  /** Introduces a later statement about the same thing, with its day. */
  readonly later: string
  readonly locale: string
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    and: 'and',
    since: 'since',
    until: 'until',
    from: 'from',
    yes: 'Yes.',
    no: 'No.',
    notAnyMore: 'No, not any more.',
    notKnown: 'Not that I know.',
    unknown: 'I do not know.',
    noDate: 'When that began is not said; it was first noted on',
    later: 'Said later, on',
    locale: 'en-GB',
  },
  de: {
    and: 'und',
    since: 'seit',
    until: 'bis',
    from: 'von',
    yes: 'Ja.',
    no: 'Nein.',
    notAnyMore: 'Nein, nicht mehr.',
    notKnown: 'Nicht dass ich wüsste.',
    unknown: 'Das weiß ich nicht.',
    noDate: 'Seit wann, ist nicht gesagt; notiert wurde es zuerst am',
    later: 'Später gesagt, am',
    locale: 'de-DE',
  },
  es: {
    and: 'y',
    since: 'desde',
    until: 'hasta',
    from: 'de',
    yes: 'Sí.',
    no: 'No.',
    notAnyMore: 'No, ya no.',
    notKnown: 'No que yo sepa.',
    unknown: 'No lo sé.',
    noDate: 'No se dice desde cuándo; se anotó por primera vez el',
    later: 'Dicho después, el',
    locale: 'es-ES',
  },
  fr: {
    and: 'et',
    since: 'depuis',
    until: "jusqu'à",
    from: 'de',
    yes: 'Oui.',
    no: 'Non.',
    notAnyMore: 'Non, plus maintenant.',
    notKnown: 'Pas à ma connaissance.',
    unknown: 'Je ne sais pas.',
    noDate: "Depuis quand n'est pas dit ; noté d'abord le",
    later: 'Dit plus tard, le',
    locale: 'fr-FR',
  },
}

/** As exact as it seems to be meant: a first of January is a year, a first of a month that month. */
export function dateOf(language: Language, date: Date): string {
  const first = date.getUTCDate() === 1
  const options: Intl.DateTimeFormatOptions = {
    timeZone: 'UTC',
    year: 'numeric',
    ...(first && date.getUTCMonth() === 0 ? {} : { month: 'long' }),
    ...(first ? {} : { day: 'numeric' }),
  }
  return new Intl.DateTimeFormat(WORDS[language].locale, options).format(date)
}

export function dayOf(language: Language, date: Date): string {
  return new Intl.DateTimeFormat(WORDS[language].locale, { timeZone: 'UTC', dateStyle: 'long' }).format(date)
}

/** "a, b and c" */
export function listOf(language: Language, items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${WORDS[language].and} ${last}`
}
