import type { Wordings } from './wordings.ts'

/** Verbs, and nouns in their place, by which a question asks for what relates two: "who does Ana work with". They match as whole words. */
export const RELATIONSHIP_VERBS = {
  collaborating: {
    en: [/works? with|worked with|working with|collaborat\w*/u],
    de: [/arbeitet mit|zusammen(?:arbeit\w*)?|mit wem (?:(?:habe|hat|ich) )*(?:ge)?arbeite\w*/u],
    es: [/trabaja con|con quién trabaj\p{L}+/u],
    fr: [/travaille avec|avec qui (?:(?:est-ce que|je) )*travaill\p{L}+/u],
  },
  reporting: {
    en: [/reports? to|reported to|reporting to/u],
    de: [/berichtet(?: an)?/u],
    es: [/reporta a/u],
    fr: [/rend compte à/u],
  },
  membership: {
    en: [/a member|member of|members of|plays? for|played for/u],
    de: [/mitglied/u],
    es: [/miembro/u],
    fr: [/membre/u],
  },
  part: { en: [/part of|subsidiary of/u], de: [/teil von/u], es: [/parte de/u], fr: [/partie de/u] },
  living: {
    en: [/lives?|lived|living|resid(?:e|es|ed|ing)|based|home|hometown|address|moved?(?: to)?|moving/u],
    de: [/wohn(?:t|e|st|te|test|en)|lebt?|lebte|lebst|gewohnt|gelebt|zuhause|gezogen/u],
    es: [/viv(?:e|o|es|ía|í|ió|en|ido)|reside|mudado|mudó/u],
    fr: [/habit(?:e|es|ais|ait|é)|vi[st]|vivai[st]|réside|déménagé/u],
  },
  birth: {
    en: [/born|birthplace|from(?= ?\?)|(?:comes?|came|originally) from/u],
    de: [/woher (?:kommt|kommst|stammt)|geboren|geburtsort/u],
    es: [/nac[ií]|naci[óo]|nacid[oa]/u],
    fr: [/née?|naissance/u],
  },
  studying: {
    en: [/stud(?:y|ies|ied|ying)|university|college|school|degree|graduated?|alma mater|attend(?:s|ed)?/u],
    de: [/studier(?:t|te|en)|universität|hochschule|uni/u],
    es: [/estudi[aéóo]|estudiaba|universidad/u],
    fr: [/étudi(?:e|é|ait)|études|université/u],
  },
  working: {
    en: [
      /works?|worked|working|employ(?:s|ed|er|ers)?|company|compan(?:y|ies)|job|jobs|(?<=(?:does|do) (?:(?:§|i|he|she|they) )+)do|for a living|hired|join(?:s|ed)?/u,
    ],
    de: [/arbeit(?:e|et|est|ete|en)|gearbeitet|angestellt|arbeitgeber|firma/u],
    es: [/trabaj(?:a|o|as|aba|é|ó|an)|empresa|empleador/u],
    fr: [/travaill(?:e|es|ais|ait|é)|bosse|employeur|entreprise/u],
  },
  marrying: {
    en: [/married|marry|marries/u],
    de: [/verheiratet|geheiratet|heiratete/u],
    es: [/casad[oa]|casó/u],
    fr: [/mariée?|épousée?/u],
  },
  disliking: {
    en: [/dislikes?|hates?|hated|(?:not|\p{L}+n['’]t) (?:\S+ )?(?:like|love|enjoy)|can['’]t stand/u],
    de: [/hasst|mag (?:\S+ )?(?:nicht|kein\w*)/u],
    es: [/no (?:me|te|le) gusta|odi[ao]/u],
    fr: [/déteste|n['’]aime pas/u],
  },
  learning: {
    en: [/learn(?:s|ing)?/u],
    de: [/lern(?:e|t)/u],
    es: [/aprend(?:e|o|iendo)/u],
    fr: [/apprend[st]?/u],
  },
  /** A text tells of learning by these. */
  learningTold: {
    en: [/learn\w*|stud(?:y|ying)/u],
    de: [/lern\w*/u],
    es: [/aprend\w*|estudi\w*/u],
    fr: [/appren\w*|étudie\w*/u],
  },
  interest: {
    en: [/interested|interests?|hobb(?:y|ies)/u],
    de: [/interessier\w*/u],
    es: [/interesa\w*/u],
    fr: [/intéresse\w*|passion\w*/u],
  },
  using: {
    en: [
      /uses?|used|using|technolog(?:y|ies)|tech stack|stack|tools?|programming languages?|programs? in|codes? in|editor/u,
    ],
    de: [/benutz(?:t|e|en)|nutz(?:t|e|en)|verwende(?:t|n)?|technologien/u],
    es: [/usa|uso|utiliz[ao]|tecnologías?/u],
    fr: [/utilise/u],
  },
  liking: {
    en: [/likes?|liked|loves?|loved|enjoys?|enjoyed|prefers?|preferred|preferences?|favou?rites?|fan of/u],
    de: [/mag|magst|liebt|gern\w*|bevorzugt|lieblings\w*/u],
    es: [/gusta\w*|encanta\w*|prefiere/u],
    fr: [/aime|aimes|adore|préfère/u],
  },
  managing: {
    en: [/manag(?:e|es|ed)|leads?|led|heads|supervis(?:e|es|ed)|runs/u],
    de: [/leitet|führt/u],
    es: [/lidera|gestiona/u],
    fr: [/dirige|gère/u],
  },
  parenthood: { en: [/parent of/u] },
  owning: {
    en: [/owns?|owned|drives?|possess(?:es)?|belongs? to/u],
    de: [/besitzt|fährt|fahre|gehört/u],
    es: [/conduc[eo]|conduzco|posee/u],
    fr: [/condui[ts]|possède/u],
  },
  creating: {
    en: [/creat(?:e|es|ed)|founded|found|invented|wrote|write|written|built|build|developed|made/u],
    de: [/gegründet|erstellt|entwickelt|geschrieben/u],
    es: [/fund[óo]|creó|escribió/u],
    fr: [/fondée?|créée?|écrite?/u],
  },
  visiting: {
    en: [/visit(?:s|ed)?|travel(?:s|led|ed)?|trips?|been to|went to|gone to/u],
    de: [/besucht|gereist/u],
    es: [/visit[óo]|viajó/u],
    fr: [/visité|voyagé/u],
  },
  knowing: {
    en: [/knows?|knew|met/u],
    de: [/kennt|kennst|kenne/u],
    es: [/conoce|conozco/u],
    fr: [/connaît|connais/u],
  },
  location: {
    en: [/located|situated|headquarter(?:s|ed)?|location/u],
    de: [/liegt|befindet|sitz/u],
    es: [/ubicad[oa]|queda/u],
    fr: [/se trouve|située?|siège/u],
  },
  kinship: { en: [/related to/u], de: [/verwandt/u], es: [/pariente/u], fr: [/apparentée?/u] },
} as const satisfies Readonly<Record<string, Wordings>>
