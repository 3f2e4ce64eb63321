/** Kinds of things that a question can ask for. */
export type Asked = 'who' | 'where' | 'when' | 'duration' | 'quantity' | 'what' | 'why' | 'how'

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
    why: ['warum'],
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

/** Verbs that begin a question which is answered by yes or no. */
export const QUESTION_VERBS: Readonly<Record<string, readonly string[]>> = {
  en: 'is are was were do does did has have had can could will would should'.split(' '),
}
