import { unicodeForm } from 'mneme/plugin'
import type { DateSpan } from './date-span.ts'
import { datesIn } from './dates.ts'

/** The kind of information a question asks for. */
export type AnswerKind = 'time' | 'quantity' | 'name'

/** Features of a query beside its words. */
export interface Question {
  /** True for a question, false for keywords. */
  readonly asks: boolean
  /** The words of the query in lower case. */
  readonly words: ReadonlySet<string>
  readonly kinds: ReadonlySet<AnswerKind>
  /** The dates it names. */
  readonly dates: readonly DateSpan[]
}

/**
 * Question words by the kind of information they ask for, in the most spoken languages that are written with spaces, and in Chinese and
 * Japanese. A question in another language has no kind, which changes no ranking.
 */
const ASKS_FOR: readonly (readonly [AnswerKind, RegExp])[] = [
  [
    'time',
    /^(?:when|since when|until when|wann|seit wann|quand|depuis quand|cuándo|quando|wanneer|kiedy|когда|متى|bao giờ|kapan|ne zaman)(?!\p{L})|(?<!\p{L})(?:what|which) (?:date|day|time|year|month|week)|(?<!\p{L})welche[nms]? (?:tag|jahr|monat|datum)|quelle (?:date|année|heure)|いつ|何(?:時|日|月|年)|什么时候|何时|哪(?:天|年|个月)/u,
  ],
  [
    'quantity',
    /(?<!\p{L})how (?:many|much|long|often|old|far|tall|big)(?!\p{L})|(?<!\p{L})(?:what|which) (?:number|age|amount|price|percentage)|^(?:wie ?viele?|wie (?:oft|lange|alt|weit|hoch)|combien|cuánt[oa]s?|quant[oaie]|hoeveel|hoe (?:vaak|lang|oud)|ile|сколько|كم)(?!\p{L})|いくつ|いくら|何(?:人|回|個|歳|本|枚)|多少|几(?:个|次|岁|天)/u,
  ],
  [
    'name',
    /^(?:who|whose|whom|with whom|where|wer|wem|wen|wessen|wo|wohin|woher|qui|où|quién|quiénes|dónde|chi|dove|quem|onde|wie is|waar|kto|gdzie|кто|кого|кому|где|куда|مَن|أين)(?!\p{L})|(?<!\p{L})(?:which|what) (?:person|people|city|country|place|state|town|company|team)|誰|どこ|谁|哪(?:里|儿)/u,
  ],
]

/** Words that begin a question without asking for one of the kinds, and the question marks of all scripts. */
const ASKS =
  /[?？؟]["'”’»)]*\s*$|^(?:what|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|was|welche[rnsm]?|warum|wie|que|qué|quel(?:le)?s?|pourquoi|comment|por qué|cómo|che|cosa|perché|como|por que|wat|waarom|hoe|что|почему|как)(?!\p{L})/u

/** @param language BCP 47 tag for the names of months and days; English by default */
export function readQuestion(query: string, now: Date, language?: string): Question {
  const text = unicodeForm(query, 'NFC')
    .toLowerCase()
    .replace(/^[\s"'¿¡(]+/, '')
  const kinds = ASKS_FOR.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind)
  return {
    asks: kinds.length > 0 || ASKS.test(text),
    words: new Set(text.match(/\p{L}[\p{L}\p{M}\p{Nd}]*/gu)),
    kinds: new Set(kinds),
    dates: datesIn(query, now, language),
  }
}
