/** Kinds of things that a question can ask for. */
export const ASKED = ['who', 'where', 'when', 'duration', 'quantity', 'what', 'why', 'how'] as const
export type Asked = (typeof ASKED)[number]

type Questions = Readonly<Record<string, Readonly<Partial<Record<Asked, readonly string[]>>>>>

/** Words that ask where a question begins with them; elsewhere many of them join clauses ("the time when it rained"). */
export const QUESTION_WORDS: Questions = {
  en: {
    who: ['who', 'whose', 'whom', 'with whom'],
    where: ['where'],
    when: ['when', 'since when', 'until when'],
    what: ['what', 'which'],
    why: ['why'],
    how: ['how'],
  },
  de: {
    who: ['wer', 'wem', 'wen', 'wessen', 'mit wem'],
    where: ['wo', 'wohin', 'woher'],
    when: ['wann', 'seit wann'],
    duration: ['wie lange'],
    quantity: ['wie viel', 'wie viele', 'wieviel', 'wieviele', 'wie oft/alt/weit/hoch'],
    what: ['was', 'welche', 'welcher', 'welchen', 'welches', 'welchem'],
    why: ['warum', 'wieso', 'weshalb'],
    how: ['wie'],
  },
  es: {
    who: ['quién', 'quien', 'quiénes'],
    where: ['dónde', 'donde', 'adónde'],
    when: ['cuándo', 'desde cuándo'],
    quantity: ['cuánto', 'cuánta', 'cuántos', 'cuántas'],
    what: ['qué', 'que', 'cuál', 'cuáles'],
    why: ['por qué'],
    how: ['cómo'],
  },
  fr: {
    who: ['qui', 'avec qui'],
    where: ['où'],
    when: ['quand', 'depuis quand'],
    quantity: ['combien'],
    what: ['que', 'quoi', 'quel', 'quelle', 'quels', 'quelles'],
    why: ['pourquoi'],
    how: ['comment'],
  },
  it: {
    who: ['chi'],
    where: ['dove'],
    when: ['quando'],
    quantity: ['quanto', 'quanta', 'quanti', 'quante'],
    what: ['che', 'cosa'],
    why: ['perché'],
    how: ['come'],
  },
  pt: { who: ['quem'], where: ['onde'], when: ['quando'], why: ['por que'], how: ['como'] },
  nl: {
    who: ['wie is'],
    where: ['waar'],
    when: ['wanneer'],
    duration: ['hoe lang'],
    quantity: ['hoeveel', 'hoe vaak/oud'],
    what: ['wat'],
    why: ['waarom'],
    how: ['hoe'],
  },
  pl: { who: ['kto'], where: ['gdzie'], when: ['kiedy'], quantity: ['ile'] },
  ru: {
    who: ['кто', 'кого', 'кому'],
    where: ['где', 'куда'],
    when: ['когда'],
    quantity: ['сколько'],
    what: ['что'],
    why: ['почему'],
    how: ['как'],
  },
  ar: { who: ['مَن'], where: ['أين'], when: ['متى'], quantity: ['كم'] },
  vi: { when: ['bao giờ'] },
  id: { when: ['kapan'] },
  tr: { when: ['ne zaman'] },
}

/** Wordings that ask wherever they stand. */
export const QUESTION_PHRASES: Questions = {
  en: {
    who: ['which/what person~/people~/company~/team~'],
    where: ['which/what city~/country~/place~/state~/town~'],
    when: ['which/what date~/day~/time~/year~/month~/week~'],
    duration: ['how long'],
    quantity: ['how many/much/often/old/far/tall/big', 'which/what number~/age~/amount~/price~/percentage~'],
  },
  de: { when: ['welche/welchen/welchem/welches tag~/jahr~/monat~/datum~'] },
  es: { where: ['qué ciudad'] },
  fr: { where: ['quelle ville', 'quel pays'], when: ['quelle date~/année~/heure~'] },
  ja: {
    who: ['誰'],
    where: ['どこ'],
    when: ['いつ', '何時', '何日', '何月', '何年'],
    quantity: ['いくつ', 'いくら', '何人', '何回', '何個', '何歳', '何本', '何枚'],
  },
  zh: {
    who: ['谁'],
    where: ['哪里', '哪儿'],
    when: ['什么时候', '何时', '哪天', '哪年', '哪个月'],
    quantity: ['多少', '几个', '几次', '几岁', '几天'],
  },
}

const ENGLISH_VERBS = 'is are was were do does did has have can could will would should'.split(' ')

/** Verbs that begin a question which is answered by yes or no. */
export const QUESTION_VERBS: Readonly<Record<string, readonly string[]>> = { en: [...ENGLISH_VERBS, 'had'] }

/** A verb before its subject, and what stands for one: a statement does not begin so. "Had I known" does. */
export const INVERSIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    `${ENGLISH_VERBS.join('/')}/may/am i/you/we/he/she/it/they/there/this/that/anyone/someone/somebody/people/any`,
    "isn't/aren't/don't/doesn't/didn't/can't/couldn't/won't/wouldn't/shouldn't i/you/we/he/she/it/they/there/this/that/anyone/someone/somebody/people/any",
  ],
  de: [
    'kannst/könntest/würdest/hast/bist/weißt/magst/willst/meinst/denkst du',
    'können/könnten/würden/haben/wissen sie',
    'gibt es',
  ],
  fr: ['~-tu/~-vous/~-il/~-elle/~-je/~-t-il/~-t-elle', "qu'est-ce", 'est-ce que'],
}

/** Wordings after question words of some kinds by which a sentence asks: "where is" does, "where I live" does not. */
export const AFTER_QUESTION_WORDS: readonly {
  readonly language: string
  readonly asked: readonly Asked[]
  readonly wordings: readonly string[]
}[] = [
  {
    language: 'en',
    asked: ASKED,
    wordings: [
      'is/are/was/were/do/does/did/can/could/should/would/will/has/have/had/am',
      'many/much/long/often/far/old/to/about/if/kind/type/sort/time',
      '~ is/are/do/does/did/should/can/would',
    ],
  },
  {
    language: 'de',
    asked: ASKED,
    wordings: [
      'ist/sind/war/waren/hat/haben/hast/kann/kannst/können/könnte/soll/sollte/sollen/muss/wird/würde/würdest',
      'macht/mache/bedeutet/heißt/gibt/geht/funktioniert/meinst/denkst/viel/viele/lange/oft',
    ],
  },
  { language: 'fr', asked: ['who'], wordings: ['est/sont/a'] },
  { language: 'fr', asked: ['where'], wordings: ['est/sont/se/puis/peut'] },
  { language: 'fr', asked: ['what'], wordings: ['est/sont/heure'] },
]

/** With one of these after it a question word begins a clause, whatever verb comes then: "What I do is". */
export const AFTER_CONJUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'i we he she it they you my'.split(' '),
}

/** Kinds of question words that begin nothing but questions, in languages that spell conjunctions otherwise. */
export const ASKING_ALONE: Readonly<Record<string, readonly Asked[]>> = {
  es: ASKED,
  fr: ['quantity', 'why', 'how'],
}

/** Question words as they are typed without their accents, which makes conjunctions of them. */
export const ALSO_CONJUNCTIONS: Readonly<Record<string, readonly string[]>> = { es: ['quien', 'donde', 'que'] }

/** A question mark of any script at its end, an opening one, or the particle that ends a Japanese question. */
export const QUESTION_SIGN =
  /[?？؟][\s"'”’»)\]」』!！]*$|^\s*¿|(?:です|ます|でしょう|ません|ました|でした|だろう|の|かな)か[。．\s]*$/u
