/** Words that begin a sentence with a capital and name nothing: pronouns, articles, prepositions, conjunctions and adverbs. */
export const SENTENCE_OPENERS: Readonly<Record<string, readonly string[]>> = {
  en: `he she they it you i his her my your its their the a an this that these there in on at for from with since before
    after when while as by during until both also among besides once now currently today recently formerly previously
    according every each most some several many one of to and yes no not`.split(/\s+/),
  de: `er sie es ihr ihre sein seine der die das ein eine in im an am auf bei mit von bis vor nach seit während als auch dort
    heute derzeit ja nein`.split(/\s+/),
  es: `él ella ellos su sus el la los las un una en con de desde hasta antes después cuando también además actualmente hoy sí
    si`.split(/\s+/),
  fr: `il elle ils elles son sa ses leur leurs le les un une en au aux avec de depuis avant après quand aussi jusque jusqu'à
    jusqu'en jusqu'au actuellement oui non`.split(/\s+/),
}
