import type { Wordings } from './wordings.ts'

/** Wordings by which a statement about a user is filed, and by which one tells nothing worth keeping. */

/** Begins with people close to the one who writes: "My sister …". */
export const OWN_PEOPLE: Wordings = {
  en: [
    /^(?:and |but |so )?(?:my|our) (?:\p{L}+[ -])?(?:ex-?)?(?:wife|husband|spouse|partner|fianc[ée]e?|girlfriend|boyfriend|gf|bf|son|daughter|kids?|child(?:ren)?|baby|mother|father|mum|mom|dad|parents?|brothers?|sisters?|siblings?|twins?|cousins?|aunt|uncle|niece|nephew|grand\p{L}+|in-?laws?|\p{L}+-in-law|famil(?:y|ies)|best friend|friends?|neighbou?rs?|roommate|flatmate)(?!\p{L})/u,
  ],
  de: [
    /^(?:and |but |so )?meine? (?:frau|mann|partner(?:in)?|freund(?:in)?|kind(?:er)?|sohn|tochter|mutter|vater|eltern|bruder|schwester|oma|opa|familie)(?!\p{L})/u,
  ],
  es: [
    /^(?:and |but |so )?mis? (?:mujer|esposa|marido|esposo|novi[oa]|hij[oa]s?|herman[oa]s?|madre|padre|padres|abuel[oa]s?|amig[oa]s?|familia)(?!\p{L})/u,
  ],
  fr: [
    /^(?:and |but |so )?(?:ma|mon|mes) (?:femme|mari|copine?|compagne?|fils|fille|enfants?|mère|père|parents|frères?|sœurs?|grand-\p{L}+|amie?s?|famille)(?!\p{L})/u,
  ],
}

/** A statement may be about one of these. */
export type Subject = 'communication' | 'goals' | 'tastes' | 'technology' | 'work' | 'relatives' | 'personal'

export const SUBJECT_WORDINGS: Readonly<Record<Subject, Wordings>> = {
  /** Wordings of wishes how to be talked to. */
  communication: {
    en: [
      /\b(?:answers?|reply|replies|respond|emojis?|bullet points?|concise|tone|phone calls?|feedback|voice notes?|being called|(?:emails?|texts?|texting|messages?) (?:over|than|to) (?:calls?|calling|phone|meetings?))\b/u,
    ],
    de: [/\b(?:antwort(?:e|et|en)|auf deutsch)\b/u],
    es: [/\b(?:responde|en español)\b/u],
    fr: [/\b(?:réponds|en français)\b/u],
  },
  /** Wordings of aims and wishes. */
  goals: {
    en: [
      /\b(?:goal|want to|wants to|plan(?:s|ning)? (?:to|a)|hope(?:s)? to|saving (?:up )?for|by the end of|would love to|'d (?:love|like) to|would like to|aim(?:s|ing)? to|training for|thinking about)\b/u,
    ],
    de: [/\b(?:möchte|mein ziel|ich lerne)\b/u],
    es: [/\b(?:quiero|mi (?:meta|objetivo))\b/u],
    fr: [/\b(?:voudrais|mon (?:but|objectif))\b/u],
  },
  /** Wordings of likings and aversions. */
  tastes: {
    en: [/\b(?:prefer|favou?rite|like|love|hate|enjoy|rather)/u],
    de: [/\bmag/u],
    es: [/\b(?:gusta|encanta)/u],
    fr: [/\b(?:aime|adore)/u],
    ja: [/好き|嫌い/u],
  },
  /** Technology. */
  technology: {
    en: [
      /\b(?:deploy|database|code|server|API|compiler|backend|frontend|framework|build|library|tests?|CI|cluster|cache|repo(?:sitory)?|endpoint|OAuth|JSON|microservices?)\b/u,
    ],
  },
  /** Work. */
  work: {
    en: [/\b(?:meeting|deadline|client|team|project|invoice|contract|manager|office|job|colleagues?|coworkers?)\b/u],
  },
  /** Family and friends. */
  relatives: {
    en: [/\b(?:wife|husband|son|daughter|mother|father|friend|girlfriend|boyfriend|engaged|mum|dad)\b/u],
  },
  /** Health, age and the like. */
  personal: {
    en: [
      /\b(?:allerg|diagnos|doctor|birthday|vegetarian|vegan|medication|mg|asthma|blood|married|divorced|years old)/u,
    ],
    de: [/\bjahre alt/u],
    es: [/\balérgic/u],
    ja: [/住んで/u],
  },
}

/** Begins as talk that tells nothing. */
export const TALK_BEGINNINGS: Wordings = {
  en: [
    /^(?:ok|okay|thanks|thank you|hi|hello|hey|lol|hmm|good (?:morning|evening|night)|sounds good|great|sure|yes|no|bye|let me)\b/u,
  ],
}

/** Asks an assistant to do something. */
export const ORDERS_TO_ASSISTANTS: Wordings = {
  en: [
    /\b(?:you are an? |ignore (?:all|any|the|previous)|previous instructions|system prompt|answer the user|can you|could you|please (?:summari[sz]e|explain|write|translate))/u,
  ],
}

/** Begin a statement of a momentary mood or a passing remark, in any language with a mood of any: "I'm so müde". */
export const MOOD_SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  en: ['i', 'im', "i'm", 'i am', 'ill', "i'll", 'we'],
  de: ['ich', 'ich bin'],
  es: ['estoy'],
  fr: ['je', 'je suis'],
}
export const MOOD_ADVERBS = 'not so very too just also'.split(' ')
export const MOODS: Readonly<Record<string, readonly string[]>> = {
  en: `agree see know understand think guess hope wonder try check wait back here there done fine ok okay good well sorry sure ready tired hungry
    bored busy happy sad confused lost stuck curious glad excited kidding joking`.split(/\s+/),
  de: ['müde', 'bereit', 'fertig', 'da', 'weiß nicht', 'verstehe'],
  es: 'bien cansado cansada listo lista'.split(' '),
  fr: ['prêt', 'là', "d'accord"],
}
