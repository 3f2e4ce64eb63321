import { firstPersonIn, keepsFirstPerson, type LanguageDetector, sentencesIn } from 'mneme/plugin'
import type { Span } from '../../contract.ts'

/** For texts too short to be sure of a language: the first of these unless another is clearly likelier. */
const LATIN = [
  ...(['en', 'de', 'fr', 'nl', 'sv', 'nb', 'da', 'es', 'it', 'pt', 'ro', 'ca', 'id', 'vi'] as const),
  ...(['hu', 'fi', 'et', 'tr', 'pl', 'cs', 'sk', 'sl', 'hr', 'lt', 'lv'] as const),
] as const
const OTHERS = ['und', 'ru', 'uk', 'sr'] as const
/** They write the case of a name by its ending. */
const DECLINING = new Set('hu fi et tr pl cs sk sl hr lt lv ru uk sr'.split(' '))

/** The language of a text: how it writes names, and whether its sentences say who speaks. */
export class TextLanguage {
  readonly #text: string
  readonly #detector: LanguageDetector
  readonly #language: string
  #ofSpeaker: readonly Span[] | undefined

  constructor(text: string, detector: LanguageDetector) {
    this.#text = text
    this.#detector = detector
    const likeliest = () => (isLatin(text) ? detector.likeliest(text, LATIN) : detector.likeliest(text, OTHERS))
    this.#language = detector.detect(text) ?? likeliest()
  }

  /** True where a name may have an ending of its case. */
  get declines(): boolean {
    return DECLINING.has(this.#language)
  }

  /** Tells whether a sentence at a place says "I" or "we", or is in a language that tells it by the verb or not at all. */
  mayBeOfSpeaker(place: Span): boolean {
    this.#ofSpeaker ??= sentencesIn(this.#text).filter(({ text }) => this.#maySpeak(text))
    return this.#ofSpeaker.some(({ start, end }) => start < place.end && end > place.start)
  }

  #maySpeak(sentence: string): boolean {
    if (!keepsFirstPerson(this.#language) || !isLatin(sentence)) return true
    const languages = [this.#language, this.#detector.detect(sentence) ?? 'und'].filter(keepsFirstPerson)
    return languages.some(language => firstPersonIn(sentence, language))
  }
}

/** Most of its letters are Latin, or it has none. */
function isLatin(text: string): boolean {
  return 2 * (text.match(/\p{sc=Latin}/gu)?.length ?? 0) >= (text.match(/\p{L}/gu)?.length ?? 0)
}
