import type { Wordings } from './wordings.ts'

/** A verb before its subject: a statement does not begin so. */
export const INVERTED_QUESTIONS: Wordings = {
  en: [
    /^(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|may|am|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|couldn['’]t|won['’]t|wouldn['’]t|shouldn['’]t)\s+(?:i|you|we|he|she|it|they|there|this|that|anyone|someone|somebody|people|any)\b/u,
  ],
  de: [
    /^(?:kannst|könntest|würdest|hast|bist|weißt|magst|willst|meinst|denkst) du\b|^(?:können|könnten|würden|haben|wissen) sie\b|^gibt es\b/u,
  ],
  fr: [/^\p{L}+-(?:tu|vous|il|elle|je|t-il|t-elle)\b/u],
}

/** Words that begin questions, and as well subordinate clauses and subjects: "When Anna is away, …", "What I love is …". */
export const QUESTION_BEGINNINGS: Wordings = {
  en: [
    /^(?:what|how|why|who|whom|whose|where|when|which)(?:['’](?:s|re|d))?\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|many|much|long|often|far|old|to|about|if|kind|type|sort|time|(?!(?:i|we|he|she|it|they|you|my)\b)\p{L}+\s+(?:is|are|do|does|did|should|can|would))\b/u,
  ],
  de: [
    /^(?:was|wie|warum|wieso|weshalb|wer|wen|wem|wo|wohin|woher|wann|welche[rsmn]?)\s+(?:ist|sind|war|waren|hat|haben|hast|kann|kannst|können|könnte|soll|sollte|sollen|muss|macht|mache|bedeutet|heißt|gibt|geht|funktioniert|viel|viele|lange|oft|wird|würde|würdest|meinst|denkst)\b/u,
  ],
  es: [/^(?:qué|cómo|por qué|quién(?:es)?|dónde|cuándo|cuál(?:es)?|cuánt[oa]s?)(?!\p{L})/u],
  fr: [
    /^(?:qu['’]est-ce|est-ce que|comment|pourquoi|combien|quel(?:le)?s? (?:est|sont|heure)|où (?:est|sont|se|puis|peut)|qui (?:est|sont|a))\b/u,
  ],
}

/** A question mark of any script at its end, an opening one, or the particle that ends a Japanese question. */
export const QUESTION_SIGN =
  /[?？؟][\s"'”’»)\]」』!！]*$|^\s*¿|(?:です|ます|でしょう|ません|ました|でした|だろう|の|かな)か[。．\s]*$/u
