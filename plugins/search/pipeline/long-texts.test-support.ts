/** A long text about nothing in particular that tells three things: at its beginning, in its middle and at its end. */
export interface LongText {
  readonly text: string
  /** A question about each, and whether its words occur in the text. */
  readonly questions: Readonly<Record<'beginning' | 'middle' | 'end', string>>
}

export interface LanguageOfTexts {
  readonly long: LongText
  /** Long texts that answer none of the questions. */
  readonly distractors: readonly string[]
  readonly short: readonly string[]
}

const LENGTH = 8_000

/** Short texts and long ones in one language, with one long text that answers. */
export function textsIn(language: keyof typeof SENTENCES): LanguageOfTexts {
  const { filler, facts, questions, notes } = SENTENCES[language]
  // Other scripts have several times as many tokens, which take as much longer to embed.
  const seeds = language === 'English' ? [1, 2, 3] : [1]
  const middle = LENGTH / 2
  const body = (seed: number, length: number) => {
    let text = ''
    for (let n = seed; text.length < length; n++) text += `${filler[n % filler.length]?.replace('#', String(n))} `
    return text.slice(0, length)
  }
  const [beginning, detail, end] = facts
  const before = `${beginning} ${body(0, middle)} ${detail} `
  return {
    long: { text: `${before}${body(3, LENGTH - before.length - end.length)}${end}`, questions },
    distractors: seeds.map(seed => body(seed * 100, LENGTH)),
    short: Array.from({ length: 200 }, (_, n) => `${notes[n % notes.length]?.replace('#', String(n))}`),
  }
}

const SENTENCES = {
  English: {
    filler: [
      'The committee met in room # and took note of the minutes of its last meeting.',
      'The budget for item # was put off until the figures of the quarter are known.',
      'Several members asked for a longer break, and the chair promised to think about it by week #.',
      'The report of working group # was read out and accepted without a vote.',
      'The printer on floor # has been out of order since Monday.',
      'It was agreed to send invitation # to all branches by post.',
    ],
    facts: [
      'Our cat Minka was vaccinated against rabies by Doctor Lindqvist.',
      'The spare key of the boathouse hangs behind the blue flower pot.',
      'Grandmother bakes her walnut cake with buckwheat flour and honey.',
    ],
    questions: {
      beginning: 'Which vet gave the cat its rabies vaccination?',
      middle: 'Where is the spare key of the boathouse?',
      end: 'What flour does grandmother use for the walnut cake?',
    },
    notes: [
      'Bus # leaves from the main station at noon.',
      'Invoice # was paid in cash.',
      'Ask the plumber about pipe #.',
      'Locker # in the gym belongs to Tom.',
      'Page # of the atlas shows Norway.',
    ],
  },
  Japanese: {
    filler: [
      '委員会は第#会議室で開かれ、前回の議事録が確認された。',
      '項目#の予算は四半期の数字が出るまで延期となった。',
      '休憩時間を長くしてほしいという意見があり、議長は第#週までに検討すると答えた。',
      '第#作業部会の報告が読み上げられ、投票なしで承認された。',
      '#階の印刷機は月曜日から故障している。',
      '招待状#を全支店に郵送することが決まった。',
    ],
    facts: [
      '猫のミンカは田中先生に狂犬病の予防注射をしてもらった。',
      'ボート小屋の合鍵は青い植木鉢のうしろに掛けてある。',
      'おばあちゃんはくるみケーキをそば粉とはちみつで焼く。',
    ],
    questions: {
      beginning: '猫のミンカに予防注射をした先生は誰ですか',
      middle: 'ボート小屋の合鍵はどこにありますか',
      end: 'おばあちゃんはくるみケーキを何の粉で焼きますか',
    },
    notes: [
      '#番のバスは正午に駅前から出る。',
      '請求書#は現金で払った。',
      '水道屋に#号管のことを聞く。',
      'ジムの#番ロッカーは山田さんのもの。',
      '地図帳の#ページはノルウェー。',
    ],
  },
  Arabic: {
    filler: [
      'اجتمعت اللجنة في القاعة # واطلعت على محضر الاجتماع السابق.',
      'تأجلت ميزانية البند # إلى حين صدور أرقام الربع.',
      'طلب بعض الأعضاء استراحة أطول ووعد الرئيس بالنظر في ذلك قبل الأسبوع #.',
      'قرئ تقرير فريق العمل # وأقر دون تصويت.',
      'الطابعة في الطابق # معطلة منذ يوم الاثنين.',
      'تقرر إرسال الدعوة # إلى جميع الفروع بالبريد.',
    ],
    facts: [
      'القطة مشمشة أخذت لقاح داء الكلب عند الدكتور سامي.',
      'المفتاح الاحتياطي لبيت القوارب معلق خلف أصيص الزهور الأزرق.',
      'جدتي تخبز كعكة الجوز بدقيق الحنطة السوداء والعسل.',
    ],
    questions: {
      beginning: 'من الدكتور الذي أعطى القطة لقاح داء الكلب؟',
      middle: 'أين المفتاح الاحتياطي لبيت القوارب؟',
      end: 'بأي دقيق تخبز جدتي كعكة الجوز؟',
    },
    notes: [
      'الحافلة # تغادر من المحطة ظهراً.',
      'دفعت الفاتورة # نقداً.',
      'اسأل السباك عن الأنبوب #.',
      'الخزانة # في النادي لطارق.',
      'الصفحة # في الأطلس عن النرويج.',
    ],
  },
} as const
