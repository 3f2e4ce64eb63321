/** Words by which the end of a noun phrase is found: "dark chocolate and old films". */

/** Stand before a noun and are no part of it. */
export const NOUN_OPENERS: Readonly<Record<string, readonly string[]>> = {
  en: 'the a an my our his her their some any all both playing'.split(' '),
  de: 'der die das den dem ein eine einen keine keinen kein meine'.split(' '),
  es: 'el la los las un una unos'.split(' '),
  fr: "le les la l' un une des du de mes".split(' '),
}

/** After a possessive stands one of somebody's things and no kind of thing. */
export const POSSESSIVES: Readonly<Record<string, readonly string[]>> = {
  en: 'my our his her their your'.split(' '),
  de: ['mein', 'meine'],
  es: ['mi', 'mis'],
  fr: ['mon', 'ma', 'mes'],
}

/** A noun phrase ends before one of these. */
export const NOUN_STOPS: Readonly<Record<string, readonly string[]>> = {
  en: `. , ; : ! ? ( ) " “ ” – — - in on at to from with without when while because for but over than before after since if as by about into during
    though although which who that where so every each i you he she we they it not nor or either instead more most very much today yesterday
    tomorrow tonight recently lately again now anymore any likes dislikes hates loves enjoys prefers is has works lives uses wants`.split(
    /\s+/,
  ),
  de: 'jetzt heute gestern immer mehr aber weil wenn mit ohne als am im bei auf für und nicht sehr'.split(' '),
  es: 'pero porque con sin cuando en por más muy'.split(' '),
  fr: 'mais parce avec sans quand dans pour très plus pas beaucoup'.split(' '),
}

/** With a time behind it one of these ends an English noun phrase: "gave up coffee last month". */
export const TIME_DETERMINERS = 'last next this past every'.split(' ')
export const TIME_NOUNS =
  `week weekend month year night morning afternoon evening time spring summer autumn winter fall monday tuesday wednesday thursday friday saturday
    sunday january february march april may june july august september october november december`.split(/\s+/)

/** "A ramen fan": these English nouns are no part of what is liked. */
export const FAN_NOUNS = 'fan fans lover lovers enthusiast enthusiasts addict addicts nut nuts'.split(' ')

/** Join nouns. */
export const NOUN_LINKS = 'and or und y e et &'.split(' ')

/** Lead to a name or a noun that is told of the one before: "el tráfico de Lima". */
export const NOUN_COMPLEMENTS = "de del du des d' of von".split(' ')

/** Words without a meaning of their own, of which nothing is liked. */
export const EMPTY_NOUNS: Readonly<Record<string, readonly string[]>> = {
  en: `it this that these those them him her me us you everything anything nothing something someone everyone people things thing stuff way idea
    being having doing to get go how what work working is was lot lots kind sort one ones fact day days time there here`.split(
    /\s+/,
  ),
  de: 'nichts etwas alles'.split(' '),
  es: 'mucho todo nada'.split(' '),
  fr: 'rien tout ça'.split(' '),
}

/** The object of an English verb: "took up chess and love it" goes on with one. */
export const OBJECTS_OF_VERBS = 'it them him her that this every'.split(' ')
