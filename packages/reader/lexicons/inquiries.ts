import type { Wordings } from './wordings.ts'

/** Words and wordings of questions about people and things, beside those by which questions ask. */

/** Verbs that begin a question which is answered by yes or no, with those of languages that put them before their subject. */
export const YES_NO_BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  en: "do does did is are was were has have had can am isn't doesn't".split(' '),
  de: `ist bin hat habe hatte war warst wohne arbeite kenne kennt mag arbeitet wohnt lebt liebt leitet besitzt nutzt`.split(
    ' ',
  ),
  es: [...'trabajo trabaja vivo vive conozco conoce estoy está es tengo tiene'.split(' '), 'le gusta'],
  fr: ['est-ce que', 'travaille', 'habite'],
}

/** Ask for everything that is known of what follows. */
export const ABOUT_WORDINGS: Wordings = {
  en: [
    /tell me (?:more )?about|what (?:do|did|can) (?:you|we|i) (?:know|tell me|have|remember) (?:about|of|on)|what is known (?:about|of)|describe/u,
    /who(?:['’]s| is| are| was)|what(?:['’]s| is| are)/u,
  ],
  de: [/wer ist|(?:was|what) ist|(?:was|what) weißt du über|erzähl\S* (?:mir )?(?:von|über)/u],
  es: [/quién es|qué es|qué sabes (?:de|sobre)|háblame de/u],
  fr: [/qui est|c['’]est qui|que sais-tu (?:de|sur)|parle-moi de/u],
}

/** Stand right before what a question is about. */
export const ABOUT_PREPOSITIONS = ['about', 'über', 'sobre']

/** Ask how two are connected. */
export const CONNECTION_WORDINGS: Wordings = {
  en: [
    /connect(?:ed|ion|ions)?|relation|relationship|relationships|links?|linked|between|related|know each other|in common/u,
  ],
  de: [/verbindung|verbunden|beziehung|zwischen|zusammenhang/u],
  es: [/conexión|conectad\w+|relación|relacionad\w+|entre/u],
  fr: [/lien|liens|liée?s?/u],
}

/** The one who asks, alone or with others. */
export const ASKER_WORDINGS: Wordings = {
  en: [/we|our|ours|us|i|me|my|mine|myself|i['’]m|i['’]ve/u],
  de: [/wir|uns|unser\p{L}*|ich|mich|mir|mein|meine[rnms]?/u],
  es: [/nosotr[oa]s|nuestr[oa]s?|yo|mi|mis/u],
  fr: [/nous|notre|nos|me|je|moi|mon|ma|mes|j['’]\S+/u],
}

/** Spanish verbs that say "I" by their form, some of which are nouns as well. */
export const ASKER_VERBS =
  `vivo viví trabajo trabajé estoy estuve soy tengo conozco uso utilizo conduzco nací estudié visité odio prefiero
    aprendo`.split(/\s+/)

/** Spanish words that make a noun of what follows. */
export const BEFORE_SPANISH_NOUNS = 'el un mi tu su sus de del al este ese nuevo buen'.split(' ')

/** Whoever is told is not who is asked about: "tell me". */
export const TELLING_WORDINGS: Wordings = {
  en: [/tell|show|give|remind/u],
  de: [/erzähl\p{L}*|sag\p{L}*|zeig\p{L}*|nenn\p{L}*/u],
}

/** Possessives of the one who asks, after which stands what he has. */
export const OWNER_WORDINGS: Wordings = { en: [/my/u], de: [/mein\w*/u], es: [/mis?/u], fr: [/mon|ma|mes/u] }

/** Ask for the object of a verb, in languages where the order of words does not tell. */
export const OBJECT_QUESTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  de: ['wen', 'wem', 'mit wem'],
  es: ['a quién', 'con quién'],
  fr: ['avec qui', 'à qui', 'qui est-ce que'],
}

/** A question that ends with one of these asks for what belongs behind it. */
export const OPEN_PREPOSITIONS = 'in at for with bei con chez to'.split(' ')

/** Before a noun they say that somebody is it no more: "former boss". */
export const FORMER_ADJECTIVES: Wordings = {
  en: [/former|old|previous/u],
  de: [/ehemalige[rn]?|frühere[rn]?/u],
  fr: [/ancien(?:ne)?/u],
}

/** Ask for what held once and holds no more. */
export const EARLIER_WORDINGS: Wordings = {
  en: [/used? to|previously|formerly|former|before|earlier|previous|prior|ex|in the past|no longer|any ?more/u],
  de: [/früher\w*|vorher|ehemalige\w*|zuvor/u],
  es: [/antes|anterior(?:mente)?/u],
  fr: [/auparavant|avant|ancien(?:ne)?|précédente?/u],
}

/** Auxiliaries of the past, and of what held at any time. English. */
export const PAST_AUXILIARIES = ['did', 'was', 'were', 'had']
export const PERFECT_AUXILIARIES = ['has', 'have', 'ever']

/** Ask for the past. */
export const PAST_QUESTIONS: Wordings = {
  en: [/did|was|were|had|worked|lived|managed|owned|used|liked|loved|knew/u],
  de: [/hatte|war|warst|waren|wohnte|arbeitete|lebte|leitete|gewohnt|gearbeitet|gelebt/u],
  es: [/vivía|viví|vivió|trabajaba|trabajé|trabajó|estaba|estuve|estuvo/u],
  fr: [/habitai[st]|habité|travaillai[st]|travaillé|vivai[st]|vécu|étai[st]/u],
}

/** Ask for what held at any time. */
export const PERFECT_QUESTIONS: Wordings = {
  en: [/has|have|ever|worked|lived/u],
  de: [/hat|jemals/u],
  es: [/ha|alguna vez/u],
  fr: [/a déjà/u],
}

/** Verbs of acts whose result still holds: "did she move to Rome". */
export const BECOMING_WORDINGS: Wordings = {
  en: [/move(?:d)? to|mov(?:e|ed)|join(?:ed)?|start(?:ed)?|marry|married|become|became|got|get|begin|began/u],
  de: [/umgezogen|gezogen|angefangen/u],
  es: [/mudado|mudó|empezó/u],
  fr: [/déménagé|commencé/u],
}

/** Ask for what holds today. */
export const NOW_WORDINGS: Wordings = {
  en: [/now|currently|current|today|at the moment|still|these days/u],
  de: [/jetzt|aktuell|derzeit|noch/u],
  es: [/ahora|actualmente|todavía/u],
  fr: [/maintenant|actuellement|encore/u],
}

/** Before and behind something that is named: "before Berlin". */
export const ORDER_WORDINGS: Readonly<Record<'before' | 'after', Readonly<Record<string, readonly string[]>>>> = {
  before: { en: ['before', 'prior to'], de: ['bevor', 'vor'], es: ['antes de'], fr: ['avant'] },
  after: { en: ['after', 'since leaving'], de: ['nach', 'nachdem'], es: ['después de', 'tras'], fr: ['après'] },
}

/** Words of questions that say nothing of what is asked for. */
export const QUESTION_FILLERS: Readonly<Record<string, readonly string[]>> = {
  en: `am to for at in on up out please you us does do did has have had get got go all any some other others people person persons someone anyone
    anybody somebody thing things kind sort type name names called place town city country first last right together each many much as since
    until t s its their theirs been being ago day month year about over one a`.split(/\s+/),
  de: 'bitte kann mir sag leute gibt von nach was um bin bist habe hast'.split(' '),
  es: 'por favor persona personas gente y e se lo les le la estoy soy tengo'.split(' '),
  fr: "gens ont ils elle il t-il t-elle est-il a à au aux et s'il plaît est-ce suis ai les le la".split(' '),
}
