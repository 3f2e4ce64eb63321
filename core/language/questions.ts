const either = (...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), 'iu')

const NOT_A_PRONOUN = /(?!(?:i|we|he|she|it|they|you|my)\b)/.source

const QUESTION = either(
  /[?？؟][\s"'”’»)\]!]*$/u,
  /^¿/u,
  new RegExp(
    `^(?:what|how|why|who|whom|whose|where|when|which)(?:['’](?:s|re|d))?\\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|many|much|long|often|far|old|to|about|if|kind|type|sort|time|${NOT_A_PRONOUN}\\p{L}+\\s+(?:is|are|do|does|did|should|can|would))\\b`,
  ),
  /^(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|may|am|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|couldn['’]t|won['’]t|wouldn['’]t|shouldn['’]t)\s+(?:i|you|we|he|she|it|they|there|this|that|anyone|someone|somebody|people|any)\b/u,
  /^(?:was|wie|warum|wieso|weshalb|wer|wen|wem|wo|wohin|woher|wann|welche[rsmn]?)\s+(?:ist|sind|war|waren|hat|haben|hast|kann|kannst|können|könnte|soll|sollte|sollen|muss|macht|mache|bedeutet|heißt|gibt|geht|funktioniert|viel|viele|lange|oft|wird|würde|würdest|meinst|denkst)\b/u,
  /^(?:kannst|könntest|würdest|hast|bist|weißt|magst|willst|meinst|denkst) du\b|^(?:können|könnten|würden|haben|wissen) sie\b|^gibt es\b/u,
  /^(?:qué|cómo|por qué|quién(?:es)?|dónde|cuándo|cuál(?:es)?|cuánt[oa]s?)(?!\p{L})/u,
  /^(?:qu['’]est-ce|est-ce que|comment|pourquoi|combien|quel(?:le)?s? (?:est|sont|heure)|où (?:est|sont|se|puis|peut)|qui (?:est|sont|a))\b|^\p{L}+-(?:tu|vous|il|elle|je|t-il|t-elle)\b/u,
  /(?:です|ます|でしょう|ません|ました|でした|だろう|の|かな)か[。．\s]*$/u,
)

/** Tells whether a sentence asks something: by its sign in any script, or by its words in English, German, Spanish, French and Japanese. */
export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence)
}
