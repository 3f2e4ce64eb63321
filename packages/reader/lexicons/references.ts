import type { Wordings } from './wordings.ts'

/** Wordings by which a sentence refers to something outside of it. */

/** Begins with a word that stands for somebody or something named before. */
export const REFERRING_BACK: Wordings = {
  en: [/^(?:(?:and|but) )?(?:he|she|they|his|her|their|it|its)(?:['’](?:s|re|ve|d|ll))?(?!\p{L})/u],
  de: [/^(?:(?:und|aber) )?(?:er|seine?|ihre?)(?!\p{L})/u],
  es: [/^(?:(?:y|pero) )?(?:él|ella|ellos|ellas)(?!\p{L})/u],
  fr: [/^(?:(?:et|mais) )?(?:il|elle|ils|elles)(?!\p{L})/u],
  ja: [/^彼女?(?!\p{L})/u],
}

/** Begins with a word that stands for a person. */
export const PERSON_BEGINNINGS: Wordings = {
  en: [/^(?:(?:and|but) )?(?:he|she|they|his|her|their)(?:['’](?:s|re|ve|d|ll))?(?!\p{L})/u],
  de: [/^(?:(?:und|aber) )?er(?!\p{L})/u],
  es: [/^(?:(?:y|pero) )?(?:él|ella)(?!\p{L})/u],
  fr: [/^(?:(?:et|mais) )?(?:il|elle)(?!\p{L})/u],
  ja: [/^彼女?(?!\p{L})/u],
}

/** Begins with a word that points to something else: code, a reply, a screen. */
export const POINTING_BEGINNINGS: Wordings = {
  en: [/^(?:it|its|it['’]s|this|that|that['’]s|these|those|the (?:first|second|last|above))(?!\p{L})/u],
  de: [/^(?:das|dies(?:e[rs]?)?|es)(?!\p{L})/u],
  es: [/^(?:es|eso|esto|esta?e?)(?!\p{L})/u],
  fr: [/^(?:ça|cela|ceci|c['’]est)(?!\p{L})/u],
  ja: [/^(?:それ|これ|あれ)(?!\p{L})/u],
}

/** "Kindness can make a difference": such a sentence without a name is about everybody and nobody. */
export const GENERALITIES: Wordings = {
  en: [/\b(?:can|could|may|might|it(?:['’]s| is) (?:important|essential|crucial|vital) to)\b/u],
}
