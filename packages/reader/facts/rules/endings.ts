import type { RelationType } from '../kinds.ts'
import type { Language } from '../parts.ts'

/** Words that end whatever there is of a kind, without naming it. */
export interface Ending {
  readonly type: RelationType
  /** A pattern from the verb on, or of all where it tells whose it is: by `user`, or by names caught as `<S>`. */
  readonly says: string
  readonly user?: boolean
}

const GONE =
  '(?:laid off|fired|sacked|made redundant|let go|dismissed|terminated|furloughed|canned|axed|given the (?:sack|boot|axe))'
const JOB = '(?:job|jobs|position|post|work|role|employment)'
const PARTED = '(?:divorced|separated|single|widowed|unmarried)'
const WE_PARTED =
  '(?:divorced|separated|split(?: up)?|broke up|broken up|parted ways|called it quits|gone our separate ways|went our separate ways|got a divorce|get(?:ting)? a divorce|filed for divorce)'

const UNION_OVER =
  '(?:(?:is|has|was|came|went|got|fell|broke) <2> (?:over|ended|through|final|finali[sz]ed|failed|apart|down|done|dead)|ended|collapsed|failed|crumbled)'

const ENGLISH: readonly Ending[] = [
  {
    type: 'WORKS_AT',
    says: 'they (?:have |just )?(?:fired|sacked|laid off|dismissed|let|made) (?:me|us)(?: go| off| redundant)?',
    user: true,
  },
  {
    type: 'MARRIED_TO',
    says: "(?:am|'m|is|are|'re) (?:no longer (?:married|together)|not (?:married|together) (?:anymore|any more|any longer))",
  },
  { type: 'MARRIED_TO', says: '(?:single (?:again|now|once more)|newly single|back to (?:being )?single)' },
  {
    type: 'MARRIED_TO',
    says: '(?:my|our) (?:husband|wife|spouse) and i <2> (?:divorced|separated|split up|broke up|parted ways)',
    user: true,
  },
  {
    type: 'MARRIED_TO',
    says: '(?:my|our) (?:husband|wife|spouse) (?:has |just )?(?:left me|divorced me|walked out|moved out|passed away|died)',
    user: true,
  },
  { type: 'WORKS_AT', says: `(?:got|was|were|been|am|'m|is|are|'s|being|have been|has been) <2> ${GONE}` },
  {
    type: 'WORKS_AT',
    says: `(?:lost|quit|left|resigned from|gave up|given up|walked out of|packed in|chucked in) (?:my|his|her|their|the) <1> ${JOB}`,
  },
  {
    type: 'WORKS_AT',
    says: "(?:am|'m|is|'s|are|became|been) <2> (?:unemployed|jobless|out of work|out of a job|between jobs|retired|on the dole|on unemployment|on unemployment benefits?)",
  },
  { type: 'WORKS_AT', says: '(?:got|gotten|been given|was given|given) the (?:sack|boot|axe|chop|push)' },
  {
    type: 'WORKS_AT',
    says: '(?:resigned|retired)(?= (?:$|(?:[.,;!]|at|last|this|in|early|from|after|and|but|because|due|today|yesterday|recently|now|for|on|as|two|three|a) ))',
  },
  { type: 'WORKS_AT', says: 'stopped working(?! (?:on|with|out))' },
  {
    type: 'WORKS_AT',
    says: 'quit(?= (?:$|(?:[.,;!]|today|yesterday|recently|last|this|because|and|after|without|for good|on the spot|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:a|two|three|a few|\\d+) (?:days?|weeks?|months?) ago) ))',
  },
  {
    type: 'WORKS_AT',
    says: "(?:isn't|aren't|(?:am|'m|is|'s|are) not) <1> (?:working|employed)(?: anywhere| at the moment| right now| now| currently| anymore| any more| at present| these days)",
  },
  { type: 'WORKS_AT', says: `(?:changed|switched) (?:jobs?|employers?|companies|workplaces|careers)` },
  { type: 'WORKS_AT', says: "(?:has|have|'ve) <1> no job" },
  { type: 'WORKS_AT', says: `(?:was|were|got|been) <2> (?:shown the door|cut loose|pink-slipped|downsized)` },
  { type: 'WORKS_AT', says: 'joined the <2> unemployed' },
  {
    type: 'WORKS_AT',
    says: '(?:yesterday|today|friday|monday|that|this|it|last week) was (?:my|our) <1> (?:last|final) day (?:of work|at work|on the job|in the office|at the office)',
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: "(?:don't|doesn't|do not|does not) (?:have a job|have any job|work|work anywhere) (?:anymore|any more|any longer|right now|at the moment|at present)",
  },
  {
    type: 'WORKS_AT',
    says: 'no longer (?:(?:have|has|had) (?:a|any) (?:job|work)|(?:work|works|working|employed|employed anywhere)(?= [.,;!] ))',
  },
  {
    type: 'WORKS_AT',
    says: `(?:my|our) (?:job|position|post|role|contract) <2> (?:(?:was|has been|got|is|has) <2> (?:cut|eliminated|terminated|ended|over|gone|axed|abolished|outsourced|scrapped|no more|history)|ended|expired|ran out|(?:wasn't|was not|isn't being|won't be) (?:renewed|extended))`,
    user: true,
  },
  { type: 'MARRIED_TO', says: `(?:am|'m|is|'s|got|are|'re|been|was|were|became) <2> ${PARTED}(?! from)` },
  {
    type: 'MARRIED_TO',
    says: `we (?:have |'ve |are |'re |just |finally |have just )?(?:got |getting )?${WE_PARTED}(?! from)`,
    user: true,
  },
  {
    type: 'MARRIED_TO',
    says: `(?:my|our) (?:marriage|divorce) <1> ${UNION_OVER}`,
    user: true,
  },
  { type: 'MARRIED_TO', says: `<S> 's (?:marriage|divorce) <1> ${UNION_OVER}` },
  { type: 'MARRIED_TO', says: '(?:got|gotten) <1> (?:a )?divorced?(?! from)' },
  { type: 'MARRIED_TO', says: '(?:since|after|following) (?:my|our) <1> (?:divorce|separation)', user: true },
  { type: 'MARRIED_TO', says: '(?:since|after|following) the <1> divorce <1> (?:, )?(?:i|we|my)', user: true },
  { type: 'MARRIED_TO', says: "(?:am|'m|is|'s|became) <2> (?:divorcée?|divorcee|widow|widower)" },
  {
    type: 'MARRIED_TO',
    says: 'the divorce <1> (?:is|went|came|was) <1> (?:through|final|finalized|finalised|done)',
    user: true,
  },
]
const GERMAN: readonly Ending[] = [
  { type: 'WORKS_AT', says: '(?:wurde|worden|bin|ist) <3> (?:entlassen|gefeuert|gekündigt|arbeitslos)' },
  {
    type: 'WORKS_AT',
    says: '(?:habe|hat) (?:(?:(?:gestern|heute|kürzlich|neulich|gerade|eben|endlich|selbst|letzte woche|letzten monat) )?gekündigt|<1> ?(?:meinen|meine|seinen|seine|ihren|ihre|den|die) <1> (?:job|stelle|arbeit) <1> (?:verloren|gekündigt|aufgegeben))',
  },
  { type: 'WORKS_AT', says: '(?:bin|ist) <2> (?:arbeitslos|in rente|pensioniert)' },
  { type: 'MARRIED_TO', says: '(?:bin|ist|sind) <2> (?:geschieden|getrennt|single)' },
]
const SPANISH: readonly Ending[] = [
  {
    type: 'WORKS_AT',
    says: '(?:me despidieron|me han despedido|estoy (?:en paro|sin trabajo|desempleado|desempleada)|perdí (?:mi|el) trabajo|dejé (?:mi|el) trabajo|me jubilé|renuncié)(?! [\uE000-\uF8FF]| a )',
    user: true,
  },
  { type: 'MARRIED_TO', says: '(?:me divorcié|nos divorciamos|nos separamos|estoy divorciad[oa])(?! de)', user: true },
]
const FRENCH: readonly Ending[] = [
  {
    type: 'WORKS_AT',
    says: "(?:j'|j' )ai (?:été (?:licenciée?|virée?)|démissionné|perdu mon (?:travail|emploi|boulot))",
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: "(?:on vient de me (?:licencier|virer)|on (?:m'|m' )a (?:licenciée?|virée?)|je viens (?:d'|d' )être (?:licenciée?|virée?)|je viens de (?:démissionner|perdre mon (?:travail|emploi|boulot)))",
    user: true,
  },
  { type: 'WORKS_AT', says: 'je suis (?:au chômage|sans emploi|à la retraite)', user: true },
  {
    type: 'MARRIED_TO',
    says: "(?:je suis divorcée?|(?:j'|j' )ai divorcé|nous avons divorcé|on a divorcé)(?! de)",
    user: true,
  },
]
export const ENDINGS: Readonly<Record<Language, readonly Ending[]>> = {
  en: ENGLISH,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
}

/** "is not single": but "is not married" ends. */
export const DENIED = / (?:not|never|nearly|almost|hardly) (?!married|together|working|employed|renewed|extended)/
/** Told of long ago, it is not what ends what holds today. */
export const LONG_AGO =
  / (?:(?:years?|decades?|ages|long|while|time|(?:few|several|many) months) ago|once|back then|at the time|years? before|when i was|as a (?:child|kid|student)|früher|hace|jadis) /
