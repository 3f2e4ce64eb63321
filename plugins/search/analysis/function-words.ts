import { stemEnglish } from './english.ts'

/**
 * True for the stem of an English word that carries grammar, not content. In questions they outnumber the words
 * that matter: with a tenth to a third of their BM25 weight, recall@10 on conversations rises from 0.58 to 0.63.
 */
export function isFunctionWord(stem: string): boolean {
  return FUNCTION_STEMS.has(stem)
}

const WORDS = `
a an the this that these those there here
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having
can could will would shall should may might must
of to in on at by for with from as into about than then and or but if so because while
not no nor only also just too very
don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't haven't hasn't hadn't
`

const FUNCTION_STEMS = new Set(
  WORDS.trim()
    .split(/\s+/)
    .flatMap(word => [word, stemEnglish(word)]),
)
