/** Sentences with one gap each and fillings for it; two different fillings always give different statements. */
export interface Frames {
  readonly frames: readonly string[]
  readonly fillings: readonly string[]
}

export const NUMBERS: Readonly<Record<string, Frames>> = {
  'digits, en': {
    frames: [
      'Ada has _ dogs',
      'The rent is _ euros a month',
      'We moved here in _',
      'Call me at _',
      'My flat is on floor _.',
    ],
    fillings: [
      '1',
      '2',
      '12',
      '21',
      '1.2',
      '-1',
      '1,200',
      '12:00',
      '1200',
      '2019',
      '10%',
      '£10',
      '10',
      '1-2',
      '٣',
      'x2',
    ],
  },
  'words, en': {
    frames: ['Ada has _ dogs', 'She called _ times', 'I finished in _ place'],
    fillings: [
      'one',
      'two',
      'three',
      'eleven',
      'twelve',
      'twenty-one',
      'no',
      'few',
      'a few',
      'many',
      'both',
      'first',
      'second',
    ],
  },
  'words, de': {
    frames: ['Ich habe _ Hunde', 'Wir waren _ Mal dort', 'Sie hat _ Kinder.'],
    fillings: ['zwei', 'drei', 'dreizehn', 'dreißig', 'einundzwanzig', 'keine', 'viele', 'II', 'IV', '2', '20'],
  },
  'words, fr': {
    frames: ["J'ai _ chiens", 'Nous partons dans _ jours', 'Elle habite au numéro _.'],
    fillings: ['deux', 'trois', 'douze', 'vingt', 'vingt-et-un', 'plusieurs', 'quelques', '2', '12'],
  },
  'words, es': {
    frames: ['Tengo _ perros', 'Vivimos aquí desde hace _ años', 'Quedamos a las _.'],
    fillings: ['dos', 'tres', 'doce', 'veinte', 'veintiuno', 'varios', 'pocos', '2', '12', '21:00'],
  },
  'digits and words, ja': {
    frames: ['猫が_匹います', '家賃は_円です', '_年前に引っ越しました。'],
    fillings: ['2', '3', '13', '二', '三', '十三', '数'],
  },
  'digits and words, ar': {
    frames: ['لدي _ كلاب', 'عمري _ سنة', 'نلتقي في الساعة _.'],
    fillings: ['٢', '٣', '١٢', '2', '3', 'ثلاثة', 'أربعة', 'خمسة'],
  },
}

export const DATES: Readonly<Record<string, Frames>> = {
  en: {
    frames: ['The exam is _', 'Ada moved to Porto _', 'We fly home _.'],
    fillings: [
      ...[
        'today',
        'tomorrow',
        'yesterday',
        'on Monday',
        'on Tuesday',
        'next Monday',
        'every Monday',
        'in May',
        'in June',
      ],
      ...[
        'on 3 May 2026',
        'on 5 March 2026',
        'on 2026-05-03',
        'at noon',
        'at night',
        'last year',
        'this year',
        'before May',
      ],
    ],
  },
  de: {
    frames: ['Die Prüfung ist _', 'Wir fliegen _ nach Hause.'],
    fillings: [
      'heute',
      'morgen',
      'gestern',
      'am Montag',
      'am Dienstag',
      'im Mai',
      'im März',
      'am 3. Mai',
      'am 3. März',
      'nächstes Jahr',
    ],
  },
  fr: {
    frames: ["L'examen est _", 'Nous rentrons _.'],
    fillings: [
      "aujourd'hui",
      'demain',
      'hier',
      'lundi',
      'mardi',
      'en mai',
      'en mars',
      'le 3 mai',
      'le 13 mai',
      "l'année prochaine",
    ],
  },
  es: {
    frames: ['El examen es _', 'Volvemos a casa _.'],
    fillings: [
      'hoy',
      'mañana',
      'ayer',
      'el lunes',
      'el martes',
      'en mayo',
      'en marzo',
      'el 3 de mayo',
      'el 13 de mayo',
      'el próximo año',
    ],
  },
  ja: {
    frames: ['試験は_です', '_帰ります。'],
    fillings: ['今日', '明日', '昨日', '月曜日', '火曜日', '5月3日', '5月13日', '来年'],
  },
  ar: {
    frames: ['الامتحان _', 'نعود إلى البيت _.'],
    fillings: ['اليوم', 'غدا', 'أمس', 'يوم الاثنين', 'يوم الثلاثاء', 'في مايو', 'في مارس'],
  },
}

export const NAMES: Readonly<Record<string, Frames>> = {
  en: {
    frames: [
      '_ lives next door',
      'I work with _',
      'My sister _ is a nurse',
      'we moved to _ for work.',
      'She uses _ every day',
    ],
    fillings: [
      ...[
        'Anna',
        'Ann',
        'Anne',
        'Hanna',
        'anna b',
        'Mary Ann',
        'Mary',
        'Ann, Mary',
        'Ann Mary',
        "O'Neil",
        'Neil',
        'Jean-Luc',
        'Luc',
      ],
      ...[
        'Acme',
        'Acme Inc',
        'node.js',
        'next.js',
        'C',
        'C++',
        'C#',
        'The Hague',
        'Saint-Denis',
        'Żaneta',
        'Zaneta',
        'Ngũgĩ',
        '李明',
        '李名',
      ],
    ],
  },
  de: {
    frames: ['_ wohnt nebenan', 'Ich arbeite mit _ zusammen.'],
    fillings: ['Jürgen', 'Jurgen', 'Jörg', 'Köln', 'Koln', 'Bonn', 'Groß', 'Gross'],
  },
  fr: {
    frames: ['_ habite à côté', 'Je travaille avec _.'],
    fillings: ['Élise', 'Elise', 'Lise', "d'Artagnan", 'Artagnan', 'Chloé', 'Lyon', 'Léon'],
  },
  es: {
    frames: ['_ vive al lado', 'Trabajo con _.'],
    fillings: ['Inés', 'Ines', 'José', 'Josefa', 'Muñoz', 'Munoz', 'León', 'Leona'],
  },
  ja: {
    frames: ['_さんは隣に住んでいます', '_さんと働いています。'],
    fillings: ['田中', '中田', '高橋', '髙橋', '山本', '山元', 'タナカ'],
  },
  ar: { frames: ['_ يسكن بجانبي', 'أعمل مع _.'], fillings: ['أحمد', 'محمد', 'محمود', 'علي', 'ليلى', 'منى'] },
}

export const NEGATIONS: Readonly<Record<string, Frames>> = {
  en: {
    frames: ['Ada _ peanuts', 'I _ the night train.', 'my brother _ his old job'],
    fillings: [
      ...[
        'likes',
        'does not like',
        'no longer likes',
        'never likes',
        'hates',
        'liked',
        'might like',
        'must like',
        'would like',
      ],
      ...[
        'has',
        "hasn't",
        'has no',
        'had',
        'started',
        'stopped',
        'left',
        'joined',
        'likes only',
        'avoids',
        'can take',
        "can't take",
      ],
    ],
  },
  de: {
    frames: ['Ada _ Nüsse', 'Ich _ den Nachtzug.'],
    fillings: ['mag', 'mag nicht', 'mag keine', 'mag nie', 'mochte', 'mag nur', 'hasst', 'möchte'],
  },
  fr: {
    frames: ['Elle _ les noix', 'Léa _ le train.'],
    fillings: ['aime', "n'aime pas", "n'aime plus", "n'aime jamais", 'aimait', 'déteste', 'aime moins', 'aime plus'],
  },
  es: {
    frames: ['Ada _ nueces', 'Él _ el tren.'],
    fillings: ['come', 'no come', 'ya no come', 'nunca come', 'comía', 'odia', 'come con', 'come sin'],
  },
  ja: {
    frames: ['彼女は肉を_', '私は電車に_。'],
    fillings: ['食べます', '食べません', '食べました', '食べませんでした', '食べたい', '食べたくない'],
  },
  ar: { frames: ['هي _ الجوز', 'أنا _ القطار.'], fillings: ['تحب', 'لا تحب', 'لم تحب', 'لن تحب', 'تكره', 'كانت تحب'] },
}
